/** The results as text for people. */
import type { Grant } from '../policies/evaluate.ts';
import { unexplained } from '../policies/unused-grants.ts';
import type { FaultResult, FunctionUse } from './run-fault.ts';

const COLUMNS = [
  'fault',
  'sent',
  'delivered',
  'quarantined',
  'lost',
  'doubled',
  'wrong',
  'held',
  'untold',
  'denied',
  'told',
  'real',
  'processor',
];

/** Everything that a run of faults says at its end. */
export const reportText = (results: readonly FaultResult[]): string =>
  [
    tableOf(results),
    `Most memory of each function:\n${memoryText(results)}`,
    `Permissions that no run used:\n${grantsText(unusedInAll(results))}`,
  ].join('\n\n');

/** One line a fault, under a head. */
function tableOf(results: readonly FaultResult[]): string {
  const rows = results.map((one) => [
    one.name,
    String(one.sent),
    String(one.delivered),
    quarantinedOf(one),
    String(one.counts.lost),
    String(one.counts.doubled),
    String(one.counts['wrongly delivered']),
    String(one.counts['held for nothing']),
    String(one.counts['not told']),
    String(one.denials.length),
    `${Math.round(one.toldSeconds)} s`,
    `${Math.round(one.realSeconds)} s`,
    `${Math.round(one.functionSeconds + one.serverSeconds)} s`,
  ]);
  const widths = COLUMNS.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  return [COLUMNS, ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `333 malicious`, or `0`. */
export function quarantinedOf({ quarantined }: FaultResult): string {
  const parts = Object.entries(quarantined).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}

/** The most memory that each function used in any run, against what it has. */
function memoryText(results: readonly FaultResult[]): string {
  const most = new Map<string, FunctionUse>();
  for (const use of results.flatMap(({ functions }) => functions))
    if (use.peakMb > (most.get(use.name)?.peakMb ?? -1)) most.set(use.name, use);
  return [...most.values()].map(({ name, peakMb, memoryMb }) => `  ${name}: ${peakMb} of ${memoryMb} MB`).join('\n');
}

/** Permissions that no run used, as `role action resource`. */
function unusedInAll(results: readonly FaultResult[]): Grant[] {
  const [first, ...others] = results;
  const isSame = (a: Grant, b: Grant) => a.where === b.where && a.action === b.action && a.resource === b.resource;
  return (first?.unused ?? []).filter((grant) =>
    others.every(({ unused }) => unused.some((one) => isSame(one, grant))),
  );
}

/** One line a permission, with the reason where there is one. */
function grantsText(grants: readonly Grant[]): string {
  const lines = unexplained(grants).map(({ where, action, resource }) => `  ${where}: ${action} on ${resource}`);
  const explained = grants.length - lines.length;
  return [...lines, `  ${explained} more have a reason (test/twin/policies/unused-grants.ts)`].join('\n');
}
