const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as it is written on a command line, '90s', '15m' or '1h', in ms; throws when it is none. */
export function durationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  const factor = units[unit];
  if (factor === undefined) throw new Error(`A duration is a number with s, m or h, such as 15m, and not "${text}".`);
  return Number(number) * factor;
}
