/**
 * The acts of administrators and of the server's security that are recorded, with their titles. A closed list: whoever
 * records another act adds its line.
 */
export const auditTitles = {
  'user.invited': 'Invited a user',
  'user.rights_changed': 'Changed rights',
  'user.password_link_made': 'Made a password link',
  'user.password_set': 'Set a password',
  'user.signed_out': 'Signed a user out everywhere',
  'user.deactivated': 'Deactivated a user',
  'user.activated': 'Activated a user',
  'user.deleted': 'Deleted a user',
  'user.linked': 'Linked an identity',
  'user.unlinked': 'Unlinked an identity',
  'user.signed_in_by_oidc': 'Signed in by OpenID Connect',
  'user.defaults_changed': 'Changed the rights of new users',
  'session.ended': 'Ended a session',
  'token.created': 'Created a personal token',
  'token.ended': 'Ended a personal token',
  'app.revoked': 'Revoked an app',
  'app.limited': 'Changed what an app may use',
  'connection.disconnected': 'Disconnected a service',
  'connection.connected': 'Connected a service',
  'approval.allowed': 'Allowed a change',
  'approval.refused': 'Refused a change',
  'approval.always_allowed': 'Always allowed an operation',
  'approval_floor.changed': 'Changed what is asked first',
  'reaction.allowed': 'Allowed a reaction',
  'reaction.refused': 'Refused a reaction',
  'reaction.withdrawn': 'Withdrew a decision on a reaction',
  'reaction.decided': 'Decided a call of a reaction',
  'reaction.switched': 'Switched a built-in reaction',
  'delivery.replayed': 'Replayed a delivery',
  'delivery.skipped': 'Skipped a delivery',
  'change.taken_back': 'Took a change back',
  'setup.changed': 'Changed the setup of a service',
} as const satisfies Readonly<Record<string, string>>;

/** One of the recorded acts. */
export type AuditAction = keyof typeof auditTitles;

/** All recorded acts, in the order of the list. */
export const auditActions: readonly AuditAction[] = Object.keys(auditTitles).filter(isAuditAction);

function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(auditTitles, text);
}

/** The maximum length of a subject and of a detail, in UTF-16 units. */
export const maxAuditText = 500;

/** One recorded act. It names who did what to whom; it has no contents and no secrets. */
export type AuditEntry = Readonly<{
  /** When it was done, Unix ms. */
  at: number;
  /** The user who did it; null for a command, and for the server itself. */
  actorId: number | null;
  action: AuditAction;
  /** The user whom it concerns; null when it concerns nobody in particular. */
  userId: number | null;
  /** What it concerns besides: a service key, an operation, or the id of an app, a delivery or a reaction; or null. */
  subject: string | null;
  /** What was set, in words or keys: 'tracker, vault; administrator'; or null. */
  detail: string | null;
}>;
