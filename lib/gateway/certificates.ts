/** The certificate of STARTTLS: read again when its file has changed, so that a renewed one needs no restart. */
import { readFileSync, statSync } from 'node:fs';

export interface Certificates {
  read(): { readonly key: string; readonly cert: string; readonly minVersion: 'TLSv1.2' };
  hasChanged(): boolean;
}

/** The pair of files. `read` throws what the file system throws. */
export function certificatesOf({
  keyFile,
  certFile,
}: {
  readonly keyFile: string;
  readonly certFile: string;
}): Certificates {
  const stamp = () =>
    [keyFile, certFile]
      .map((path) => {
        const found = statSync(path, { throwIfNoEntry: false });
        return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'missing';
      })
      .join('; ');
  let known = '';
  return {
    read() {
      known = stamp();
      return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), minVersion: 'TLSv1.2' };
    },
    hasChanged: () => stamp() !== known,
  };
}
