import type { SendMailOptions, Transporter } from 'nodemailer';
import { z } from 'zod';
import type { MailSender, SendingResult } from '#application/ports/notification-senders.ts';
import { visibleText } from '#domain/shared/visible-text.ts';

type SmtpMailDependencies = Readonly<{
  /** `smtp://` or `smtps://`, with user and password if need be. */
  url: string;
  from: string;
}>;

/** The maximum duration of each step of an attempt, in ms. */
const timeoutMs = 10_000;
const maxSubject = 200;
const errorSchema = z.object({ code: z.string().optional(), responseCode: z.number().optional() });

/** Sends e-mails over SMTP, one connection each. A password goes to another machine over TLS only. */
export class SmtpMail implements MailSender {
  readonly #dependencies: SmtpMailDependencies;
  /** Loaded by the first e-mail; not needed at start. */
  #transport: Promise<Transporter> | null = null;

  constructor(dependencies: SmtpMailDependencies) {
    this.#dependencies = dependencies;
  }

  async send(
    { id, to, subject, text }: Readonly<{ id: string; to: string; subject: string; text: string }>,
    stop: AbortSignal,
  ): Promise<SendingResult> {
    const { url, from } = this.#dependencies;
    const mail: SendMailOptions = {
      from,
      // An object, so that nothing in it is read as a list of addresses.
      to: { name: '', address: to },
      subject: oneLine(subject),
      text,
      messageId: `<${id}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    this.#transport ??= transportTo(url);
    const transport = await this.#transport;
    const stopped = new Promise<SendingResult>((resolve) => {
      stop.addEventListener('abort', () => resolve({ kind: 'failed', error: 'stopped' }), { once: true });
    });
    return Promise.race([sent(transport, mail), stopped]);
  }
}

async function sent(transport: Transporter, mail: SendMailOptions): Promise<SendingResult> {
  try {
    await transport.sendMail(mail);
    return { kind: 'sent' };
  } catch (error) {
    const { code = 'unknown', responseCode } = errorSchema.catch({}).parse(error);
    const text = responseCode === undefined ? code : `${code} ${responseCode}`;
    // The server will never take this e-mail; a failed sign-in is the administrator's to mend.
    const isRefused = responseCode !== undefined && responseCode >= 500 && code === 'EENVELOPE';
    return { kind: isRefused ? 'refused' : 'failed', error: text };
  }
}

async function transportTo(address: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || host === '127.0.0.1' || host === '::1';
  const auth =
    username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return createTransport({
    host,
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: protocol === 'smtp:' && username !== '' && !isHere,
    ...auth,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
}

/** A header's value: one line, with characters that disguise others made visible. */
function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\s+/g, ' ')).slice(0, maxSubject);
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
}
