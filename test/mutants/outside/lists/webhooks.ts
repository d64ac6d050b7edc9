// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const verifier = 'adapters/services/webhooks/delivery-verifier.ts';
const routes = 'adapters/http/webhooks/webhook-routes.ts';

/** Faults of the receivers: proof, age, repeats, statuses; and of the registration of webhooks. */
export const webhookFaults = [
  ...faultsIn(verifier, { breaks: 'Inbound webhook routes', sections: 'HOOK' }, [
    [
      'of = ({ body }) => body',
      "of = ({ body }) => Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString() || '{}')))",
      'the signature is that of JSON written again',
    ],
    [
      'if (given === null) return rejectedDelivery',
      'if (given === null) return ok(0); if (false) return rejectedDelivery',
      'a delivery without a signature is taken',
    ],
  ]),
  ...faultsIn(
    'adapters/services/webhooks/webhook-signature.ts',
    { breaks: 'Inbound webhook routes', sections: 'HOOK' },
    [
      [
        "createHmac('sha256', secret).update(body).digest('hex')",
        "createHmac('sha1', secret).update(body).digest('hex').padEnd(64, '0')",
        'signatures are SHA-1',
      ],
      [
        'return firstOf(secrets.map((secret) => equal(secret, text)));',
        'return firstOf(secrets.map((secret) => equal(secret.slice(0, text.length), text)));',
        'the beginning of the token will do',
      ],
    ],
  ),
  ...faultsIn(
    'adapters/services/signing/neutral/webhook-payload.ts',
    { breaks: 'Inbound webhook routes', sections: 'HOOK' },
    [
      [
        'return parsedTime(event?.date_created) ?? parsedTime(document?.date_created);',
        'return parsedTime(event?.date_created) ?? parsedTime(document?.date_created) ?? Date.now();',
        'a delivery of the signing service needs no date',
      ],
    ],
  ),
  ...faultsIn(
    'adapters/services/webhooks/webhook-rejection.ts',
    { breaks: 'Inbound webhook routes', sections: 'HOOK' },
    [['if (Math.abs(ageMs) <= windowMs)', 'if (ageMs <= windowMs)', 'deliveries from the future are taken']],
  ),
  ...faultsIn(
    'adapters/services/sales-crm/neutral/webhook-source.ts',
    { breaks: 'Inbound webhook routes', sections: 'HOOK' },
    [["signedIn('X-SalesCrm-Signature'", "signedIn('X-Sales-Signature'", 'the sales CRM signs in another header']],
  ),
  ...faultsIn('adapters/services/sales-crm/neutral/vendor.ts', { breaks: 'Inbound webhook routes', sections: 'HOOK' }, [
    [
      'clientSecret === null ? [] : [clientSecret]',
      'clientSecret === null ? [] : [`${clientSecret}!`]',
      'the sales CRM signs with another secret',
    ],
  ]),
  ...faultsIn(routes, { breaks: 'Server errors', sections: 'HOOK' }, [
    ['bad_signature: { status: 401', 'bad_signature: { status: 403', 'a wrong signature is 403'],
    ['unsigned: { status: 401', 'unsigned: { status: 400', 'no signature is 400'],
    ['stale: { status: 401', 'stale: { status: 202', 'an old delivery is 202'],
  ]),
  ...faultsIn(routes, { breaks: 'Events (tracker delivery)', sections: 'HOOK,INBOX' }, [
    ['answer(ctx, 200, { received: true })', 'answer(ctx, 202, { received: true })', 'a taken delivery is 202'],
  ]),
  ...faultsIn('adapters/services/tracker/neutral/webhook-source.ts', { breaks: null, sections: 'HOOK,INBOX,REACT' }, [
    [
      "boundId(singleHeader(delivery, deliveryHeader), body, ['webhookTimestamp'])",
      'null',
      'a delivery sent again is another one',
    ],
  ]),
  ...faultsIn(
    'adapters/services/suite-crm/neutral/webhook-registration.ts',
    { breaks: 'Notifications', sections: 'WREG', isInModes: true },
    [
      ["toISOString().replace('.000Z', '+00:00')", 'getTime()', 'channel_expiry is a number'],
      ['token: this.#token,', '', 'channels have no token'],
    ],
  ),
  ...faultsIn(
    'adapters/services/tracker/neutral/webhook-registration.ts',
    { breaks: null, sections: 'WREG', isInModes: true },
    [['allPublicTeams: true,', 'allPublicTeams: false,', 'the webhook is for no team']],
  ),
  ...faultsIn(
    'adapters/services/sales-crm/neutral/webhook-registration.ts',
    { breaks: null, sections: 'WREG', isInModes: true },
    [['event_action: action,', "event_action: '*',", 'the sales CRM is asked for all events']],
  ),
];
