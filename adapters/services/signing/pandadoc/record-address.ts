import type { RecordOfCall } from '#adapters/services/definitions/vendor.ts';

const ofDocument = /^documents\.(get|details|status|create|create_ready|update|send|send_draft|set_status|to_draft)$/;

/** The address of a call's document in PandaDoc; null when the call concerns none. */
export function pandadocAddress({ operation, id }: RecordOfCall): string | null {
  return ofDocument.test(operation) && /^\w+$/.test(id) ? `https://app.pandadoc.com/a/#/documents/${id}` : null;
}
