/** The processor time that each group of files has used. The files of one mail share one budget. */

/** This many groups are remembered. The group that was unused for longest is dropped first. An entry is a few bytes. */
const MAX_ACCOUNTS = 10_000;

export interface GroupAccounts {
  /** Returns milliseconds of processor time. */
  used(group: string): number;
  charge(group: string, ms: number): void;
}

export function openAccounts(): GroupAccounts {
  const accounts = new Map<string, number>();
  const used = (group: string) => accounts.get(group) ?? 0;
  return {
    used,
    charge: (group, ms) => {
      const sum = used(group) + ms;
      accounts.delete(group);
      accounts.set(group, sum);
      const [oldest] = accounts.keys();
      if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    },
  };
}
