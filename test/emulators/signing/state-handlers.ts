import { documentIn, wordOf, wrongState } from '#test/emulators/signing/document-store.ts';
import {
  done,
  invalid,
  json,
  notFound,
  objectIn,
  paged,
  type Reply,
  refused,
} from '#test/emulators/signing/exchange.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import { pdfOf } from '#test/emulators/signing/pdf.ts';
import { type Document, summaryOf, type World } from '#test/emulators/signing/world.ts';

/** POST /documents/{id}/send */
export const sendDocument: Handler = ({ world, lifeCycle }, ask) => {
  const document = documentIn(world, ask.params['id']);
  if (document === null) return notFound;
  if (world.words === 'pandadoc' && objectIn(ask) === null)
    return invalid({ non_field_errors: ['A JSON object is required.'] });
  if (document.state !== 'draft') return wrongState(world, document);
  if (document.recipients.length === 0) return invalid({ recipients: ['The document has no recipients.'] });
  lifeCycle.move(document, 'sent');
  return json(200, { ...summaryOf(world, document), recipients: document.recipients });
};

/** PATCH /documents/{id}/status: by name in the neutral words, by number in the provider's own. */
export const setStatus: Handler = ({ world, lifeCycle }, ask) => {
  const document = documentIn(world, ask.params['id']);
  if (document === null) return notFound;
  const status = objectIn(ask)?.['status'];
  const isRightKind = typeof status === (world.words === 'pandadoc' ? 'number' : 'string');
  const word = isRightKind ? wordOf(world, String(status)) : undefined;
  if (word === undefined || !['completed', 'expired', 'declined', 'paid'].includes(word)) {
    return invalid({ status: ['value is not a valid choice.'] });
  }
  if (document.state === 'uploaded' || document.state === word) return wrongState(world, document);
  lifeCycle.move(document, word);
  return done;
};

/** POST /documents/{id}/draft */
export const toDraft: Handler = ({ world, lifeCycle }, { params }) => {
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  if (document.state === 'uploaded') return wrongState(world, document);
  lifeCycle.move(document, 'draft');
  return json(200, summaryOf(world, document));
};

/** GET /documents/{id}/download */
export const download: Handler = ({ world }, { params }) => {
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  return document.state === 'uploaded' || document.state === 'error'
    ? wrongState(world, document)
    : pdf(world, document);
};

/** GET /documents/{id}/download-protected: for a completed document, with production credentials. */
export const downloadProtected: Handler = ({ world }, { params, headers }) => {
  if (headers.authorization?.startsWith('API-Key ') === true) {
    return refused(401, 'authentication_error', 'This needs a production key.');
  }
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  return document.state === 'completed' ? pdf(world, document) : wrongState(world, document);
};

function pdf(world: World, document: Document): Reply {
  if (world.pendingDownloads > 0) {
    world.pendingDownloads -= 1;
    return { status: 202 };
  }
  const { size, bytes } = pdfOf(document.name, world.pdfBytes);
  const name = encodeURIComponent(`${document.name}.pdf`);
  return {
    status: 200,
    bytes,
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(size),
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    },
  };
}

/** GET /documents/{id}/audit-trail: by page and count, or by limit and offset in the provider's own words. */
export const auditTrail: Handler = ({ world }, { params, query }) => {
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  if (world.words === 'neutral') return paged(query, document.audit);
  const limit = Number(query.get('limit') ?? 20);
  const offset = Number(query.get('offset') ?? 0);
  if (!(limit >= 1 && limit <= 100 && offset >= 0)) {
    return json(400, { code: 'bad_request', details: ['limit must be between 1 and 100'] });
  }
  return json(200, { count: document.audit.length, results: document.audit.slice(offset, offset + limit) });
};
