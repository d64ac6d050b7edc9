import { dayTokens, formatted, type TimeOfDay, timeTokens } from '#domain/notes/moment-format.ts';
import type { Day, Weeks } from '#domain/notes/week-of-year.ts';

/** What the placeholders of a template mean: the day of the new note, its name, and the time at which it is made. */
export type TemplateValues = Readonly<{ day: Day; title: string; time: TimeOfDay; weeks: Weeks }>;

const placeholder = /\{\{[ \t]*(date|time|title)[ \t]*(?::([^{}\n]{0,200}))?\}\}/gi;

/**
 * Fills `{{title}}`, `{{date}}` and `{{time}}` in a template of the notes app, with formats as in `{{date:YYYY}}`. All
 * else is text: nothing is run, and what cannot be filled stays as it is written.
 */
export function filledTemplate(template: string, { day, title, time, weeks }: TemplateValues): string {
  const tokens = { ...dayTokens(day, weeks), ...timeTokens(time) };
  return template.replaceAll(placeholder, (whole, name: string, format?: string) => {
    if (name.toLowerCase() === 'title') return format === undefined ? title : whole;
    const usual = name.toLowerCase() === 'date' ? 'YYYY-MM-DD' : 'HH:mm';
    const filled = formatted(format === undefined || format.trim() === '' ? usual : format.trim(), tokens);
    return filled.ok ? filled.value : whole;
  });
}
