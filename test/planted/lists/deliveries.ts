import { inFile, type PlantedFault } from '#test/planted/fault.ts';

/** Faults against the clauses of deliveries, of what they do, and of the registration of webhooks (HOOK, REACT, WREG). */
export const deliveryFaults: readonly PlantedFault[] = [
  ...inFile('adapters/http/webhooks/webhook-routes.ts', [
    ['HOOK-001', 'path: `/webhooks/${service}`,', "path: `/webhooks/${service.replace('_', '-')}`,"],
  ]),
  ...inFile('adapters/services/webhooks/webhook-signature.ts', [
    [
      'HOOK-002',
      "equal(createHmac('sha256', secret).update(body).digest('hex'), given)",
      "equal(createHmac('sha256', secret).update(JSON.stringify(jsonOf(body))).digest('hex'), given)",
    ],
  ]),
  ...inFile('adapters/services/webhooks/delivery-verifier.ts', [
    [
      'HOOK-003',
      'if (!proven.ok) return proven;\n    const secret = proven.value;',
      'const secret = proven.ok ? proven.value : 0;',
    ],
  ]),
  ...inFile('adapters/services/sales-crm/neutral/webhook-source.ts', [
    ['HOOK-004', "signedIn('X-SalesCrm-Signature', ", "signedIn('X-Signature', "],
  ]),
  ...inFile('adapters/services/signing/neutral/webhook-source.ts', [
    ['HOOK-005', 'windowMs: 300_000', 'windowMs: 600_000'],
  ]),
  ...inFile('adapters/services/suite-crm/neutral/webhook-source.ts', [
    [
      'HOOK-006',
      "if (secret === null) return rejectedDelivery('bad_signature', 'the token is none of those configured');\n      return ok({ body, deliveryId: null, secret });",
      'return ok({ body, deliveryId: null, secret: secret ?? 0 });',
    ],
  ]),
  ...inFile('adapters/services/tracker/neutral/webhook-source.ts', [
    ['HOOK-007', 'const windowMs = 60_000', 'const windowMs = 59_000'],
  ]),
  ...inFile('domain/events/sales-crm-event.ts', [
    ['HOOK-018', "['added', 'updated', 'deleted', 'merged']", "['added', 'updated', 'deleted']"],
  ]),
  ...inFile('domain/events/signing-event.ts', [['HOOK-019', "  'document_creation_failed',\n", '']]),
  ...inFile('adapters/services/suite-crm/neutral/webhook-payload.ts', [
    ['HOOK-020', '!/^[A-Za-z]\\w{0,99}$/.test(module)', '!/^[A-Za-z]{1,99}$/.test(module)'],
  ]),
  ...inFile('domain/events/tracker-event.ts', [
    [
      'HOOK-021',
      "const issueSlaActions = ['set', 'highRisk', 'breached']",
      "const issueSlaActions = ['set', 'breached']",
    ],
  ]),
  ...inFile('domain/reactions/deal-updated.ts', [
    ['REACT-001', "datedEntry('History', event", "datedEntry('Notes', event"],
  ]),
  ...inFile('domain/reactions/party-updated.ts', [['REACT-002', "['updated.organization']", "['added.organization']"]]),
  ...inFile('domain/reactions/document-state-changed.ts', [
    ['REACT-003', "datedEntry('Status History', event", "datedEntry('History', event"],
  ]),
  ...inFile('domain/reactions/document-ready.ts', [
    ['REACT-004', "historyMark(record, 0, 'download')", "historyMark(record, event.occurredAt, 'download')"],
  ]),
  ...inFile('domain/reactions/issue-changed.ts', [
    ['REACT-005', 'tracker_project_id: issue.project?.id ?? null,', 'tracker_project: issue.project?.id ?? null,'],
  ]),
  ...inFile('domain/reactions/contract-note.ts', [
    ['REACT-006', 'newNote(templates.contract, {', 'newNote(templates.deal, {'],
  ]),
  ...inFile('domain/webhook-registrations/renewal.ts', [
    ['WREG-003', 'const renewalShare = 0.7', 'const renewalShare = 1.1'],
  ]),
  ...inFile('adapters/services/signing/neutral/webhook-payload.ts', [
    [
      'HOOK-013',
      'return events.length === 0 ? [{}] : events;',
      "return events.length === 0 || events.some((one) => !('event' in Object(one))) ? [{}] : events;",
    ],
  ]),
];
