import { createHmac } from 'node:crypto';

/** The HMAC-SHA256 of bytes in hexadecimal: how the sales CRM, the signing service and the tracker sign. */
export function signed(body: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
