/** The report of a URL analysis (v3). A field that the service did not check is null or empty, never a guess. */
import * as z from 'zod';
import { listOf, orNull, ReportStatus, ThreatLevel } from './common.ts';

const Verdict = z.object({ verdict: ThreatLevel, title: z.string(), description: z.string() });

export const UrlAnalysis = z.object({
  level: ThreatLevel,
  status: ReportStatus,
  generalInfo: z.object({ url: z.string(), domain: z.string(), websiteTitle: orNull(z.string()) }),
  screenshot: z.object({ available: z.boolean() }),
  ipInfo: orNull(
    z.object({
      ip: z.string(),
      asn: orNull(z.string()),
      city: orNull(z.string()),
      country: orNull(z.string()),
      isp: orNull(z.string()),
      organization: orNull(z.string()),
      threatStatus: Verdict,
    }),
  ).describe('Facts of the host. Null when its name was not resolved.'),
  dnsRecords: listOf(z.object({ type: z.string(), records: z.array(z.string()) })),
  whois: orNull(
    z.object({
      domainName: orNull(z.string()),
      domainId: orNull(z.string()),
      nameServers: listOf(z.string()),
      creationDate: orNull(z.string()),
      updatedDate: orNull(z.string()),
      expirationDate: orNull(z.string()),
      registrar: orNull(z.string()),
      registrarIanaId: orNull(z.string()),
      email: orNull(z.string()),
      phone: orNull(z.string()),
    }),
  ),
  sslCertificate: orNull(
    z.object({
      subject: z.string(),
      issuer: z.string(),
      renewedAt: z.number(),
      expiresAt: z.number(),
      serialNumber: z.string(),
      fingerprint: z.string(),
    }),
  ),
  responseHeaders: orNull(z.record(z.string(), z.unknown())),
  extractedFile: orNull(z.object({ uuid: z.string(), threatStatus: Verdict })),
  threatAnalysis: orNull(
    z.object({
      overview: listOf(
        z.object({ source: z.string(), title: z.string(), description: z.string(), verdict: ThreatLevel }),
      ),
      blacklist: z.boolean(),
      threatDetails: listOf(z.object({ source: z.string(), details: orNull(z.record(z.string(), z.unknown())) })),
    }),
  ).describe('What each source says about the URL.'),
  pages: listOf(z.string()),
});
export type UrlAnalysis = z.infer<typeof UrlAnalysis>;
