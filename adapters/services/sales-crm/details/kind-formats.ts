/** Converts a duration of the sales CRM, 'HH:MM', to ms. */
export function durationMs(text: unknown): number {
  const [hours = 0, minutes = 0, seconds = 0] = String(text).split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Converts ms to a duration of the sales CRM; undefined for none. */
export function durationText(ms: number): string | undefined {
  const minutes = Math.round(ms / 60_000);
  const padded = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return ms > 0 ? padded.join(':') : undefined;
}

/** Splits a full name for vendors with two: the last word is the last name, and a single word the first name. */
export function nameParts(name: string): Readonly<{ firstname: string; lastname: string }> {
  const words = name.trim().split(/\s+/);
  return { firstname: words.slice(0, Math.max(1, words.length - 1)).join(' '), lastname: words.slice(1).at(-1) ?? '' };
}
