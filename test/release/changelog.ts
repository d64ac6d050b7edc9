/** The part of a changelog about a version: its heading's date, null while it is unreleased, and its text. */
export type ChangelogSection = Readonly<{ date: string | null; text: string }>;

/** Returns the section of a version in a changelog of the form of Keep a Changelog; null when there is none. */
export function changelogSection(changelog: string, version: string): ChangelogSection | null {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version} `) || text.startsWith(`## ${version}\n`));
  if (section === undefined) return null;
  const [heading = '', ...lines] = section.split('\n');
  const text = lines.join('\n').trim();
  return text === '' ? null : { date: /\d{4}-\d{2}-\d{2}/.exec(heading)?.[0] ?? null, text };
}
