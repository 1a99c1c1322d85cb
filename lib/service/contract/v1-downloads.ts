/** v1: files. Each needs the bearer header, or the cookie that the interface document names. */
import type { RouteDefinition } from './common.ts';
import { YaraRulePending } from './v1-bodies.ts';
import { V1ArtifactParams, V1MediaParams, V1SubmissionParams } from './v1-forms.ts';

const binary = 'application/octet-stream';
const ofSubmission = ['INVALID_UUID', 'SUBMISSION_NOT_FOUND', 'SUBMISSION_PRIVATE'] as const;

export const V1_DOWNLOAD_ROUTES = [
  {
    name: 'downloadSample',
    summary: 'The submitted file',
    method: 'GET',
    paths: ['/sample/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: {
      200: { kind: 'file', contentType: 'application/zip', description: 'A ZIP archive with the password infected.' },
    },
    errors: [...ofSubmission, 'SAMPLE_NOT_AVAILABLE'],
  },
  {
    name: 'downloadHtmlReport',
    summary: 'The report as a page',
    method: 'GET',
    paths: ['/htmlreport/:uuid', '/public-api/download/html-report/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: { 200: { kind: 'file', contentType: 'text/html; charset=utf-8', description: 'The report.' } },
    errors: ofSubmission,
  },
  {
    name: 'downloadPcap',
    summary: 'The captured traffic',
    method: 'GET',
    paths: ['/pcap/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: { 200: { kind: 'file', contentType: 'application/vnd.tcpdump.pcap', description: 'The capture.' } },
    requires: 'dynamic',
    errors: [...ofSubmission, 'DYNAMIC_REPORT_UNAVAILABLE', 'ARTIFACT_NOT_FOUND'],
  },
  {
    name: 'downloadYaraRule',
    summary: 'The rule generated for the file',
    method: 'GET',
    paths: ['/generated-yara-rule/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: {
      200: { kind: 'file', contentType: 'text/plain; charset=utf-8', description: 'The rule.' },
      202: { kind: 'json', schema: YaraRulePending },
    },
    errors: [...ofSubmission, 'STATIC_REPORT_UNAVAILABLE'],
  },
  {
    name: 'downloadArtifact',
    summary: 'One file produced during the analysis',
    method: 'GET',
    paths: ['/artifact/:uuid/:artifactId'],
    auth: 'bearer-or-cookie',
    request: { params: V1ArtifactParams },
    responses: { 200: { kind: 'file', contentType: binary, description: 'The file.' } },
    errors: [...ofSubmission, 'ARTIFACT_NOT_FOUND'],
  },
  {
    name: 'downloadScreenshot',
    summary: 'The screenshot of a URL analysis',
    method: 'GET',
    paths: ['/screenshot/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: { 200: { kind: 'file', contentType: 'image/png', description: 'The picture.' } },
    requires: 'url_analysis',
    errors: [...ofSubmission, 'URL_ANALYSIS_REPORT_UNAVAILABLE', 'MEDIA_NOT_FOUND'],
  },
  {
    name: 'downloadMedia',
    summary: 'One picture or video of the analysis',
    method: 'GET',
    paths: ['/media/:uuid/:fileId'],
    auth: 'bearer-or-cookie',
    request: { params: V1MediaParams },
    responses: { 200: { kind: 'file', contentType: binary, description: 'The file.' } },
    errors: [...ofSubmission, 'MEDIA_NOT_FOUND'],
  },
  {
    name: 'downloadCdr',
    summary: 'The sanitized file',
    method: 'GET',
    paths: ['/public-api/download/cdr/:uuid', '/cdr/:uuid', '/download/v1/download/cdr/:uuid'],
    auth: 'bearer-or-cookie',
    request: { params: V1SubmissionParams },
    responses: {
      200: { kind: 'file', contentType: 'application/zip', description: 'A ZIP archive with the sanitized file.' },
    },
    requires: 'cdr',
    errors: [...ofSubmission, 'CDR_REPORT_UNAVAILABLE'],
  },
] as const satisfies readonly RouteDefinition[];
