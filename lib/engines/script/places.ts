/**
 * Other places and times for a further run. A script that acts only on a phone, in one country or after a date does nothing on the desktop
 * of today. So a script that read such a property and did nothing is run again where it may act.
 */

/** Where and when the scripts run. The names are those of the environment (environment/place.js). */
export interface Place {
  /** How far the clock is moved, in milliseconds. */
  readonly later: number;
  readonly isPhone: boolean;
  readonly language: string;
  readonly timeZone: string;
  /** As `getTimezoneOffset` gives it: the minutes from local time to UTC. */
  readonly offset: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The offset of each zone for which attacks on one country ask most. Any other zone of the text has the offset of the first. */
const OFFSETS: Readonly<Record<string, number>> = {
  'America/Sao_Paulo': 180,
  'America/Mexico_City': 360,
  'America/New_York': 300,
  'America/Los_Angeles': 480,
  'Asia/Tokyo': -540,
  'Asia/Shanghai': -480,
  'Asia/Kolkata': -330,
  'Europe/Moscow': -180,
};
const ZONE = /["'`]((?:Africa|America|Asia|Australia|Europe|Pacific)\/[A-Za-z_/]{2,40})["'`]/g;
const LANGUAGE = /["'`/^(|]([a-z]{2})([-_][A-Z]{2})?(?=["'`/|)])/g;
const LANGUAGES = new Set(
  'ar bg cs da el es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(' '),
);

/**
 * Returns two places with the properties that the text names: a phone somewhat later, and another desktop long before. The weekday and the
 * hour differ, too.
 */
export function otherPlaces(text: string): Place[] {
  const languages = [...text.matchAll(LANGUAGE)]
    .filter(([, language = '']) => LANGUAGES.has(language))
    .map(([, language = '', country = '']) => language + country.replace('_', '-'));
  const zones = [...text.matchAll(ZONE)].map(([, zone = '']) => zone);
  const place = (later: number, isPhone: boolean, index: number, otherwise: readonly [string, string]): Place => {
    const language = languages.at(index) ?? languages[0] ?? otherwise[0];
    const timeZone = zones.at(index) ?? zones[0] ?? otherwise[1];
    return { later, isPhone, language, timeZone, offset: OFFSETS[timeZone] ?? 180 };
  };
  return [
    place(45 * DAY_MS + 9 * HOUR_MS, true, 0, ['pt-BR', 'America/Sao_Paulo']),
    place(-(400 * DAY_MS + 5 * HOUR_MS), false, -1, ['ja-JP', 'Asia/Tokyo']),
  ];
}
