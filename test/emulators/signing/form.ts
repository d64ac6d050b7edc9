import { type Ask, isObject, objectIn } from '#test/emulators/signing/exchange.ts';

/** A part of a form. */
export type FormPart = Readonly<{ name: string; fileName: string | null; bytes: Buffer; text: string }>;

/** The parts of a multipart/form-data body (RFC 7578); null when it is none. */
export function formIn({ headers, body }: Pick<Ask, 'headers' | 'body'>): FormPart[] | null {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return null;
  const text = body.toString('latin1');
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const bytes = Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1');
      return {
        name: / name="([^"]*)"/.exec(head)?.[1] ?? '',
        fileName: /filename="([^"]*)"/.exec(head)?.[1] ?? null,
        bytes,
        text: bytes.toString('utf8'),
      };
    });
}

/** The members of a body: JSON, or a form whose fields of lists and objects are JSON, and whose file is a member. */
export function bodyIn(ask: Ask): Readonly<Record<string, unknown>> | null {
  const form = formIn(ask);
  if (form === null) return objectIn(ask);
  const members = form.map(({ name, fileName, text }) => [name, fileName === null ? fieldValue(text) : { fileName }]);
  const { data, ...rest } = Object.fromEntries(members);
  return { ...rest, ...(isObject(data) ? data : {}) };
}

function fieldValue(text: string): unknown {
  return /^[[{]/.test(text) ? JSON.parse(text) : text;
}
