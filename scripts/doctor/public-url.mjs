import { runningServices } from '../../dist/src/platform/start/listen-address.js';
import { nameOf, note, ok, problem } from './verdict.mjs';

const PATIENCE_MS = 5_000;
/** What is sent as a key. The service refuses it, and says so in its own words. */
const NO_KEY = 'npm-run-doctor';

const UNTRUSTED = /^(ERR_TLS_CERT|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/;

/**
 * Sends two requests to PUBLIC_URL with a key that does not exist: the answers show whether the address leads to this service,
 * and whether the proxy before it is trusted. Tried only while the service runs.
 */
export async function checkPublicUrl(settings) {
  const { publicUrl, duties, port, dataDir } = settings;
  if (!publicUrl || !duties.requests) return ok(publicUrl ?? 'not set');
  const isRunning = (await runningServices(dataDir)).some((service) => service.port === port);
  if (!isRunning) return ok(`${publicUrl}, tried while the service runs`);
  try {
    return judge(settings, await answerAt(publicUrl));
  } catch (error) {
    return unanswered(publicUrl, nameOf(error.cause ?? error));
  }
}

function unanswered(publicUrl, reason) {
  if (UNTRUSTED.test(reason))
    return note(
      `the certificate at ${publicUrl} is not trusted on this host (${reason})`,
      'correct that certificate; or name its authority with NODE_EXTRA_CA_CERTS, also where agents and runners run',
    );
  return note(
    `${publicUrl} does not lead anywhere from this host (${reason})`,
    'set PUBLIC_URL to the address of the service or of the proxy in front of it; ignore this if only other hosts reach it',
  );
}

/** Only a route that carries a secret is refused over plain HTTP, so one is asked where this service answers. */
async function answerAt(publicUrl) {
  const answer = await ask(`${publicUrl}/api/projects`);
  return answer.code === 'unauthenticated' ? ask(`${publicUrl}/api/auth/keys`, 'POST') : answer;
}

async function ask(url, method = 'GET') {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${NO_KEY}`, accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: response.status, code: await codeIn(response) };
}

/** Each refusal of the service has one. */
async function codeIn(response) {
  try {
    return (await response.json()).code ?? null;
  } catch {
    return null; // Another program answers in another form.
  }
}

function judge({ publicUrl, trustedProxies }, { status, code }) {
  if (code === 'unauthenticated') return ok(`${publicUrl} leads to this service`);
  if (code === 'https_required')
    return problem(
      `requests to ${publicUrl} reach the service as plain HTTP, which it refuses where they carry a secret`,
      trustedProxies.length === 0
        ? 'set TRUSTED_PROXIES to the address of the proxy in front of the service'
        : `set TRUSTED_PROXIES to the address of the proxy in front of the service (now ${trustedProxies.join(', ')}), and let it send X-Forwarded-Proto`,
    );
  return note(
    `${publicUrl} is answered by something else than this service (${code ?? status})`,
    'set PUBLIC_URL to the address of the service or of the proxy in front of it',
  );
}
