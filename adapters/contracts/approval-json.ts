import type { PendingApproval } from '#domain/operations/outcome.ts';

/** A pending approval as apps see it, by MCP and by REST; `expires_at` is an ISO 8601 time. */
export function approvalAsJson({ id, url, expiresAt }: PendingApproval): Readonly<Record<string, string>> {
  return { id, url, expires_at: new Date(expiresAt).toISOString() };
}
