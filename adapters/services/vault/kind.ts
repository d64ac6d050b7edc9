import { defineKind } from '#adapters/services/definitions/kind.ts';
import { changeRules } from '#adapters/services/vault/changes.ts';
import { changedNote } from '#adapters/services/vault/details/changed-note.ts';
import { explainMissing } from '#adapters/services/vault/missing.ts';
import { operations } from '#adapters/services/vault/operations.ts';
import { questions } from '#adapters/services/vault/questions.ts';
import { vaultSettings } from '#adapters/services/vault/settings.ts';

/** The vault: Markdown notes. A real one is known to leave some requests unanswered, hence the short timeout. */
export const vaultKind = defineKind({
  key: 'vault',
  title: 'Vault',
  noun: 'vault',
  icon: 'notebook',
  example: 'Write a note named “First steps” in my vault: what can you do for me with Portolan?',
  settings: vaultSettings,
  operations,
  keyMethod: 'api_key',
  hasOwnAddress: true,
  probe: 'commands.list',
  changedNote,
  changes: changeRules,
  explainMissing,
  isOpenWorld: false,
  timeoutMs: 15_000,
  retries: { tries: 2, withinMs: 2_000 },
  maxBytes: 64 * 1024 * 1024,
  instructions: {
    tools: 'vault_*',
    purpose: 'of Markdown notes',
    tips: [
      'Notes are Markdown with YAML frontmatter. Change one part with vault_note_patch or vault_frontmatter_set instead of rewriting the whole note. Paths are relative to the vault: Deals/Acme.md.',
    ],
  },
  questions,
});
