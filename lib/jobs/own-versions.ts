/** The versions of the engines in this code. The sender of a job and the worker that does it read them from the same file. */
import { OWN_VERSIONS, versionsWithVisits } from '../engines/threads/versions.ts';
import type { KindVersions } from './job.ts';

/** The ending of a version whose reports are about pages that were opened on one day. */
const VISITED_ON = / on (\d{4}-\d{2}-\d{2})$/;

/** Returns the versions when URLs are visited. The web changes, so a report about a page counts only on the same day (UTC). */
export function versionsVisitedOn(day: string): KindVersions {
  const url = versionsWithVisits(OWN_VERSIONS).url_analysis;
  return { ...OWN_VERSIONS, url_analysis: `${url} on ${day}` };
}

/** Returns the versions here for a job whose sender counts on `versions`. Around midnight, sender and engine see different days. */
export function versionsForVisit(versions: string): KindVersions {
  return versionsVisitedOn(VISITED_ON.exec(versions)?.[1] ?? '');
}
