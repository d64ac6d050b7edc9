/**
 * How sending ended: it was accepted; it was not, for now (`retryAfterMs` is what the receiver asks for); or it will
 * never be. `error` is for the log, without secrets.
 */
export type SendingResult =
  | Readonly<{ kind: 'sent' }>
  | Readonly<{ kind: 'failed'; error: string; retryAfterMs?: number }>
  | Readonly<{ kind: 'refused'; error: string }>;

/** Sends a message to the address of `NOTIFY_URL`, signed. */
export interface WebhookPoster {
  /** Sends the body under the message's id; each attempt is signed with its own time. Failures are returned. */
  send(message: Readonly<{ id: string; body: string }>, signal: AbortSignal): Promise<SendingResult>;
}

/** Sends e-mails. */
export interface MailSender {
  /** Sends an e-mail of plain text to one person; its id is stable over attempts. Failures are returned. */
  send(
    mail: Readonly<{ id: string; to: string; subject: string; text: string }>,
    signal: AbortSignal,
  ): Promise<SendingResult>;
}
