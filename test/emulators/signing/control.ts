import { type Ask, done, json, notFound, objectIn, type Reply, textOr } from '#test/emulators/signing/exchange.ts';
import type { Faults } from '#test/emulators/signing/faults.ts';
import type { HandlerDependencies } from '#test/emulators/signing/handler.ts';
import type { Grants } from '#test/emulators/signing/oauth.ts';
import { newId } from '#test/emulators/signing/world.ts';

/** What the control routes work with. */
export type ControlDependencies = HandlerDependencies & Readonly<{ grants: Grants; faults: Faults }>;

/**
 * The routes below /_emulator by which another process does what tests do by calls:
 * POST documents/{id}/process, /view, /complete, /sign {email}; POST fail-next {status, times, headers, body};
 * POST expire-tokens; POST webhooks {url, shared_key}; POST settings {draft_after_ms, pdf_bytes, per_minute};
 * GET deliveries.
 */
export function control(parts: ControlDependencies, path: string, ask: Ask): Reply {
  const [, , what = '', id = '', action = ''] = path.split('/');
  const body = objectIn(ask) ?? {};
  if (what === 'documents') return moved(parts, { id, action, email: textOr(body['email'], '') });
  switch (`${ask.method} ${what}`) {
    case 'POST fail-next':
      parts.faults.failNext({
        status: Number(body['status'] ?? 500),
        times: Number(body['times'] ?? 1),
        body: body['body'],
      });
      return done;
    case 'POST expire-tokens':
      parts.grants.expireTokens();
      return done;
    case 'POST webhooks':
      return subscribed(parts, textOr(body['url'], ''), textOr(body['shared_key'], ''));
    case 'POST settings':
      if (typeof body['draft_after_ms'] === 'number') parts.world.draftAfterMs = body['draft_after_ms'];
      if (typeof body['pdf_bytes'] === 'number') parts.world.pdfBytes = body['pdf_bytes'];
      if (typeof body['per_minute'] === 'number') parts.faults.perMinute = body['per_minute'];
      return done;
    case 'GET deliveries':
      return json(200, { deliveries: parts.webhooks.deliveries });
    default:
      return notFound;
  }
}

function moved({ lifeCycle }: ControlDependencies, to: Readonly<{ id: string; action: string; email: string }>): Reply {
  if (to.action === 'process') lifeCycle.process(to.id);
  else if (to.action === 'view') lifeCycle.view(to.id);
  else if (to.action === 'complete') lifeCycle.complete(to.id);
  else if (to.action === 'sign') lifeCycle.sign(to.id, to.email);
  else return notFound;
  return done;
}

function subscribed({ world }: ControlDependencies, url: string, sharedKey: string): Reply {
  const uuid = newId();
  world.subscriptions.set(uuid, {
    uuid,
    name: 'control',
    url,
    sharedKey,
    active: true,
    isDeactivated: false,
    triggers: [],
  });
  return json(201, { uuid });
}
