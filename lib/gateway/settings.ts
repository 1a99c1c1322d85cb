/** The settings of a gateway. The command line makes them from its options; everything in them is the operator's. */
import type { Held } from './milter/offers.ts';

export interface HostPort {
  readonly host: string;
  /** 0 means any free port, for tests. */
  readonly port: number;
}

/** Clients that are known by their certificates. */
export interface ClientCertificates {
  /** A client with a certificate of these authorities may relay to any recipient. */
  readonly caFile: string;
  /**
   * The revoked certificates of the authorities. Each of them needs a list of its own here that is not out of date. @default nothing is
   * revoked
   */
  readonly crlFile?: string;
  /** True: other clients send nothing. */
  readonly isRequired: boolean;
}

/** A certificate of ours and its key, in PEM. */
export interface CertificateFiles {
  readonly keyFile: string;
  readonly certFile: string;
}

/** STARTTLS at the door. */
export interface TlsSettings extends CertificateFiles {
  readonly isRequired: boolean;
  readonly clients?: ClientCertificates;
}

/** The settings of the door. */
export interface DoorSettings extends HostPort {
  readonly protocol: 'smtp' | 'lmtp';
  /** The name in the greeting and in `Received`. */
  readonly name: string;
  /** Addresses, and ranges of them (`192.0.2.0/24`), whose clients may relay to any recipient. */
  readonly clients: readonly string[];
  /** Domains for which everybody may send to us: exactly these, in small letters. */
  readonly domains: readonly string[];
  /** Addresses from which XFORWARD is believed, and XCLIENT. */
  readonly xforward: readonly string[];
  readonly xclient: readonly string[];
  /** Null: STARTTLS is not announced. */
  readonly tls: TlsSettings | null;
  /** Checks a name and a password; null: AUTH is not announced. */
  readonly authenticate: ((name: string, password: string) => Promise<boolean>) | null;
}

/** The settings of the door where a mail server offers messages by the milter protocol. */
export interface MilterSettings extends HostPort {
  readonly protocol: 'milter';
  /** Our name in notices. */
  readonly name: string;
  /** The path of a Unix socket; null: `host` and `port` count. */
  readonly path: string | null;
  /** Addresses of mail servers, and ranges of them. No other client may connect. */
  readonly clients: readonly string[];
  readonly held: Held;
  /** Seconds after which a message that is still judged is taken, so that its sender does not wait any longer. */
  readonly waitSeconds: number;
}

/** The settings of the next hop. */
export interface NextSettings extends HostPort {
  readonly protocol: 'smtp' | 'lmtp';
  /** Our name in EHLO. */
  readonly name: string;
  /** `required`: a certificate that verifies, or the message waits. `try`: encrypted where the next hop offers it, to any server. */
  readonly tls: 'off' | 'try' | 'required';
  /** Certificates to trust, in PEM. @default those of Node */
  readonly ca?: string;
  /** Is shown to a next hop that asks for it. Read for each connection, so that a renewed one needs no restart. */
  readonly certificate?: CertificateFiles;
  readonly user?: { readonly name: string; readonly password: string };
}

/** The people who are informed when a message could not be delivered. Null: only the log and `airlock gateway status` report it. */
export interface NoticeSettings {
  readonly from: string;
  readonly to: string;
}
