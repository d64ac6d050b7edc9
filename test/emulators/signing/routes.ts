import * as documents from '#test/emulators/signing/document-handlers.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import * as library from '#test/emulators/signing/library-handlers.ts';
import * as parts from '#test/emulators/signing/part-handlers.ts';
import * as states from '#test/emulators/signing/state-handlers.ts';
import * as subscriptions from '#test/emulators/signing/subscription-handlers.ts';
import type { Words, World } from '#test/emulators/signing/world.ts';

const templates = (world: World) => world.templates;
const forms = (world: World) => world.forms;
const folders = (world: World) => world.folders;
const templateFolders = (world: World) => world.templateFolders;
const items = (world: World) => world.contentItems;

const common: Readonly<Record<string, Handler>> = {
  'GET /public/v1/documents': documents.listDocuments,
  'POST /public/v1/documents': documents.createDocument,
  'GET /public/v1/documents/{id}': documents.getDocument,
  'PATCH /public/v1/documents/{id}': documents.updateDocument,
  'DELETE /public/v1/documents/{id}': documents.deleteDocument,
  'GET /public/v1/documents/{id}/details': documents.getDetails,
  'POST /public/v1/documents/{id}/send': states.sendDocument,
  'PATCH /public/v1/documents/{id}/status': states.setStatus,
  'POST /public/v1/documents/{id}/draft': states.toDraft,
  'GET /public/v1/documents/{id}/download': states.download,
  'GET /public/v1/documents/{id}/download-protected': states.downloadProtected,
  'POST /public/v1/documents/{id}/recipients': parts.addRecipient,
  'DELETE /public/v1/documents/{id}/recipients/{rid}': parts.deleteRecipient,
  'GET /public/v1/documents/{id}/fields': parts.listFields,
  'GET /public/v1/documents/{id}/attachments': parts.listAttachments,
  'POST /public/v1/documents/{id}/editing-sessions': parts.editingSession,
  'POST /public/v1/documents/{id}/session': parts.signingSession,
  'POST /public/v1/documents/{id}/linked-objects': parts.link,
  'GET /public/v1/documents/{id}/linked-objects': parts.listLinks,
  'DELETE /public/v1/documents/{id}/linked-objects/{lid}': parts.unlink,
  'GET /public/v1/templates': library.listOf(templates),
  'POST /public/v1/templates': library.createTemplate,
  'DELETE /public/v1/templates/{id}': library.deleteOf(templates),
  'GET /public/v1/forms': library.listForms,
  'GET /public/v1/content-library-items': library.listOf(items),
  'POST /public/v1/content-library-items': library.uploadItem,
  'GET /public/v1/content-library-items/{id}': library.getOf(items, 'cli.PROCESSED'),
  'GET /public/v1/contacts': library.listContacts,
  'GET /public/v1/members': library.listMembers,
  'POST /public/v1/webhook-subscriptions': subscriptions.subscribe,
  'GET /public/v1/webhook-subscriptions': subscriptions.listSubscriptions,
  'PATCH /public/v1/webhook-subscriptions/{id}': subscriptions.changeSubscription,
  'DELETE /public/v1/webhook-subscriptions/{id}': subscriptions.unsubscribe,
};

const byWords: Readonly<Record<Words, Readonly<Record<string, Handler>>>> = {
  neutral: {
    'GET /public/v1/templates/{id}': library.getOf(templates, 'template.PROCESSED', { roles: library.templateRoles }),
    'GET /public/v1/documents/{id}/audit-trail': states.auditTrail,
    'GET /public/v1/documents/{id}/recipients': parts.listRecipients,
    'PATCH /public/v1/documents/{id}/recipients/{rid}': parts.updateRecipient,
    'GET /public/v1/documents/{id}/quotes': parts.listQuotes,
    'PATCH /public/v1/documents/{id}/quotes/{qid}': parts.updateQuote,
    'GET /public/v1/forms/{id}': library.getOf(forms, 'active'),
    'GET /public/v1/folders': library.listFolders(folders),
    'POST /public/v1/folders': library.createFolder(folders),
    'PATCH /public/v1/folders/{id}': library.renameFolder(folders),
    'DELETE /public/v1/folders/{id}': library.deleteOf(folders),
  },
  pandadoc: {
    'GET /public/v1/templates/{id}': library.getOf(templates, 'template.PROCESSED'),
    'GET /public/v1/templates/{id}/details': library.templateDetails,
    'GET /public/v2/documents/{id}/audit-trail': states.auditTrail,
    'PATCH /public/v1/documents/{id}/recipients/recipient/{rid}': parts.updateRecipient,
    'PUT /public/v1/documents/{id}/quotes/{qid}': parts.updateQuote,
    'GET /public/v1/documents/folders': library.listFolders(folders),
    'POST /public/v1/documents/folders': library.createFolder(folders),
    'PUT /public/v1/documents/folders/{id}': library.renameFolder(folders),
    'GET /public/v1/templates/folders': library.listFolders(templateFolders),
    'POST /public/v1/templates/folders': library.createFolder(templateFolders),
    'PUT /public/v1/templates/folders/{id}': library.renameFolder(templateFolders),
  },
};

/** A route that a request takes: its name ("GET /public/v1/documents/{id}") is what limits are counted by. */
export type Route = Readonly<{ name: string; handle: Handler; params: Readonly<Record<string, string>> }>;

type Matcher = Readonly<{ name: string; handle: Handler; pattern: RegExp }>;

/** The routes of a dialect; the one with the most fixed segments wins. */
export function router(words: Words): (method: string, path: string) => Route | null {
  const matchers: Matcher[] = Object.entries({ ...byWords[words], ...common })
    .map(([name, handle]) => ({ name, handle, pattern: patternOf(name) }))
    .sort((left, right) => named(left.name) - named(right.name));
  return (method, path) => {
    for (const { name, handle, pattern } of matchers) {
      const match = pattern.exec(`${method} ${path}`);
      if (match === null) continue;
      const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
      return { name, handle, params: Object.fromEntries(params) };
    }
    return null;
  };
}

const named = (name: string): number => name.split('{').length;

const patternOf = (name: string): RegExp => new RegExp(`^${name.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
