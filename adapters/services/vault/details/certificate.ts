import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpError } from '#infrastructure/http/http-messages.ts';
import { type Certificate, readCertificate } from '#infrastructure/http/peer-certificate.ts';

const timeoutMs = 5_000;
const maxCertificateLength = 64 * 1024;

const untrusted: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
];

/** Whether the error says that the server's certificate is not trusted. */
export const isUntrusted = (error: HttpError): boolean => untrusted.includes(error.code ?? '');

/** Where the vault serves its certificate, without a key. */
export type CertificatePlace = Readonly<{ path: string }>;

/**
 * Stores the certificate of the record's vault in `extra.certificate`, unless a trusted authority signed it. Trust on
 * first use: it is fetched once, over a connection that carries no key, from the vault's own file, else as shown in the
 * handshake; from then on exactly this one is trusted. A certificate entered by the user, one signed by a trusted
 * authority, and `verify_ssl: false` are left alone.
 */
export async function pinCertificate(
  record: TokenRecord,
  http: HttpClient,
  { path }: CertificatePlace,
): Promise<Result<TokenRecord, Failure>> {
  const { base_url: given, verify_ssl, certificate } = vaultExtra.parse(record.extra);
  const base = withoutEnd(given, '/');
  if (!base.startsWith('https:') || !verify_ssl) return ok(record);
  if (certificate !== undefined) {
    const read = readCertificate(certificate);
    return read === null
      ? err(failed('invalid_input', '`extra.certificate` is not a PEM certificate.'))
      : ok(pinned(record, read));
  }
  const ask = (url: string, trust: boolean | string) =>
    http.send({ method: 'GET', url, headers: {}, timeoutMs, maxBytes: maxCertificateLength, trust });
  const first = await ask(`${base}/`, true);
  if (first.kind === 'answer' || !isUntrusted(first)) return ok(record);
  const file = await ask(`${base}${path}`, false);
  const published =
    file.kind === 'answer' && file.status === 200 ? readCertificate(new TextDecoder().decode(file.body)) : null;
  // A file that differs from the certificate in use would make a connection that never works.
  const isShown = published !== null && (await ask(`${base}/`, published.pem)).kind === 'answer';
  const found = isShown ? published : await http.certificateOf(base, timeoutMs);
  return found === null
    ? err(failed('unavailable', `The certificate of ${base} could not be read. Try again.`))
    : ok(pinned(record, found));
}

function pinned(record: TokenRecord, { pem, sha256 }: Certificate): TokenRecord {
  return { ...record, extra: { ...record.extra, certificate: pem, certificate_sha256: sha256 } };
}
