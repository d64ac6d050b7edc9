import { X509Certificate } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';

/** A certificate as PEM text, and its SHA-256 fingerprint in hex pairs ("AB:CD:…"). */
export type Certificate = Readonly<{ pem: string; sha256: string }>;

const firstLine = '-----BEGIN CERTIFICATE-----';
const lastLine = '-----END CERTIFICATE-----';

/** Reads the first certificate in a PEM text; null when there is none that can be parsed. */
export function readCertificate(pem: string): Certificate | null {
  const start = pem.indexOf(firstLine);
  const end = pem.indexOf(lastLine, start);
  if (start === -1 || end === -1) return null;
  try {
    const certificate = new X509Certificate(pem.slice(start, end + lastLine.length));
    return { pem: certificate.toString(), sha256: certificate.fingerprint256 };
  } catch {
    return null;
  }
}

/**
 * Fetches the certificate that a server presents, without verifying it; null when none arrives in time. Sends no
 * request.
 */
export function peerCertificate(
  url: string,
  { timeoutMs, lookup }: Readonly<{ timeoutMs: number; lookup: LookupFunction }>,
): Promise<Certificate | null> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((settle) => {
    const socket = connect({ host, port: Number(port === '' ? 443 : port), rejectUnauthorized: false, lookup });
    const end = (certificate: Certificate | null): void => {
      socket.destroy();
      settle(certificate);
    };
    socket.setTimeout(timeoutMs, () => end(null));
    socket.once('error', () => end(null));
    socket.once('close', () => end(null));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown === undefined ? null : { pem: shown.toString(), sha256: shown.fingerprint256 });
    });
  });
}

/**
 * Returns got's TLS options: a certificate's PEM text is trusted whatever its host names; false trusts any certificate.
 */
export function tlsOptions(trust: boolean | string) {
  return typeof trust === 'string'
    ? { rejectUnauthorized: true, certificateAuthority: trust, checkServerIdentity: () => undefined }
    : { rejectUnauthorized: trust };
}
