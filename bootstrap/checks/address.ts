import { request } from 'node:http';
import { createServer } from 'node:net';
import { type Finding, good, look, wrong } from '#bootstrap/checks/finding.ts';
import { runningServer } from '#bootstrap/checks/running-server.ts';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { codeOf } from '#bootstrap/start/first-start.ts';

/** Checks whether the port is free, or served by this server. */
export async function checkPort(settings: Settings): Promise<Finding> {
  const { HOST, PORT } = settings;
  const at = `${HOST}:${PORT}`;
  if (PORT === 0) return good('Port: any free port');
  const code = await listenError(HOST, PORT);
  const running = await runningServer(settings.databaseUrl);
  if (running !== null && running !== at) {
    const where = running === '' ? '' : `, at ${running}`;
    const next = 'run this with the settings of that server, or stop it';
    return look(`Port: a server runs on this data${where}; these settings say ${at}`, next);
  }
  if (code === null) return good(`Port: ${at} is free; the server is not running`);
  if (code !== 'EADDRINUSE') {
    return wrong(`Port: ${at} cannot be opened for listening (${code})`, 'change HOST or PORT');
  }
  const isOurs = (await bodyAt(settings, '/healthz')).trim() === '{"status":"ok"}';
  const isNamed = isOurs && !(await bodyAt(settings, '/login')).includes('This host name is not served here.');
  if (isNamed) return good(`Port: the server answers at ${at}`);
  if (isOurs) {
    const next = 'start the server with these settings, or correct BASE_URL';
    return wrong(`Port: the server at ${at} does not answer to BASE_URL`, next);
  }
  const next = 'stop it, or set PORT to a free port';
  return wrong(`Port: another program listens on ${at}`, next);
}

function listenError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error)));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/**
 * Requests a path with the host name of BASE_URL and returns the start of the body; '' on errors. Health probes answer
 * any host name.
 */
function bodyAt({ HOST, PORT, BASE_URL }: Settings, path: string): Promise<string> {
  const hostname = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
  const name = BASE_URL === undefined ? `localhost:${PORT}` : new URL(BASE_URL).host;
  return new Promise((resolve) => {
    const options = { hostname, port: PORT, path, headers: { host: name }, timeout: 5_000, agent: false };
    const asked = request(options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < 1_000) body += chunk;
      });
      response.once('end', () => resolve(body));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(''));
    asked.end();
  });
}

/** Checks whether the base URL can reach this server. */
export function checkBaseUrl(settings: Settings, hasWebhooks: boolean): Finding {
  const { HOST, PORT, BASE_URL } = settings;
  if (BASE_URL === undefined && !isLoopback(HOST)) {
    const next = 'set BASE_URL to the address that clients use';
    return wrong(`BASE_URL: not set, though HOST is ${HOST}: every other name is refused with 403`, next);
  }
  const url = new URL(BASE_URL ?? `http://localhost:${PORT}`);
  const shown = `BASE_URL: ${url.origin}`;
  if (url.pathname !== '/') return wrong(`${shown} has the path ${url.pathname}`, 'give it a host name of its own');
  const isLocal = isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  if (isLocal && hasWebhooks) {
    const next = 'set BASE_URL to an address that the services can reach, unless they run on this machine, too';
    return look(`${shown} is reachable only from this machine, but webhook secrets are set`, next);
  }
  if (!isLocal && url.protocol === 'http:') {
    const next = 'put TLS in front, set BASE_URL to https://… and TRUST_PROXY=on';
    return look(`${shown} is not encrypted: browsers do not keep its cookies`, next);
  }
  if (url.protocol === 'https:' && !settings.TRUST_PROXY) {
    return look(`${shown} is https, which requires a proxy`, 'set TRUST_PROXY=on to limit rates by client');
  }
  return good(shown);
}

/**
 * Advises on OAuth metadata, which is off by default: a client that finds metadata ignores a manually configured bearer
 * token.
 */
export function checkMetadata({ OAUTH_METADATA: isOn }: Settings): Finding {
  return isOn
    ? good('Sign-in of apps: with metadata (RFC 8414, RFC 9728)')
    : good(
        'Sign-in of apps: without metadata; OAUTH_METADATA=on helps an app that finds no authorization server, or asks for a client id',
      );
}
