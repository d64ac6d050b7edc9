/** The commands that need no window. Ids are those of the notes app where it has the same command. */
export const commands = [
  { id: 'daily-notes', name: "Daily notes: Open today's daily note" },
  { id: 'periodic-notes:open-weekly-note', name: "Periodic notes: Open this week's note" },
  { id: 'periodic-notes:open-monthly-note', name: "Periodic notes: Open this month's note" },
  { id: 'file-explorer:new-file', name: 'Files: Create new note' },
  { id: 'vault:rebuild-index', name: 'Vault: Rebuild the search index' },
] as const;
