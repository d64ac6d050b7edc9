"""A second server of the interface, of the standard library only and written from the interface's text: what the contract suite is held against."""
import base64, hashlib, hmac, html, json, os, secrets, threading, time
import urllib.error, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

E = lambda name, other='': os.environ.get('CONTRACT_' + name, other)
BASE, EMAIL, PASSWORD = E('BASE_URL'), E('EMAIL'), E('PASSWORD')
DATA = E('DATA_DIR', '.')

def kept(name, first):
    """What a file of the data folder has; made by the first call."""
    path = os.path.join(DATA, name)
    if not os.path.exists(path):
        with open(path, 'w') as file:
            file.write(first())
    with open(path) as file:
        return file.read()

KEY = bytes.fromhex(kept('key', lambda: secrets.token_hex(32)))
MAX_AGE, CODE_AGE = 2592000, 600
SERVICES = ('sales_crm', 'signing', 'suite_crm', 'tracker')
SCOPES = {'sales_crm': 'deals:full', 'signing': 'read write', 'suite_crm': 'ZohoCRM.modules.ALL', 'tracker': 'read,write'}
RENEW_S = {'sales_crm': 3000, 'suite_crm': 3000, 'tracker': 79200}
clients, codes, states = {}, {}, {}
records = json.loads(kept('records.json', lambda: '{}'))
lock, renewing = threading.Lock(), threading.Lock()
offset = [0.0]
now = lambda: time.time() + offset[0]
b64 = lambda raw: base64.urlsafe_b64encode(raw).rstrip(b'=').decode()

# --- the encrypted user id: a stream of HMACs, and one over all of it
def keystream(nonce, length):
    out = b''
    while len(out) < length:
        out += hmac.new(KEY, b'stream' + nonce + len(out).to_bytes(4, 'big'), 'sha256').digest()
    return out[:length]

def seal(text):
    nonce, plain = secrets.token_bytes(16), text.encode()
    body = nonce + bytes(a ^ b for a, b in zip(plain, keystream(nonce, len(plain))))
    return b64(body + hmac.new(KEY, b'tag' + body, 'sha256').digest())

def unseal(value):
    try:
        raw = base64.urlsafe_b64decode(value + '=' * (-len(value) % 4))
    except ValueError:
        return None
    body, tag = raw[:-32], raw[-32:]
    if b64(raw) != value or len(body) < 16 or not hmac.compare_digest(tag, hmac.new(KEY, b'tag' + body, 'sha256').digest()):
        return None
    return bytes(a ^ b for a, b in zip(body[16:], keystream(body[:16], len(body) - 16))).decode()

def token_for(user_id):
    return seal(f'{user_id}.{int(now())}')

def user_of(value):
    plain = unseal(value)
    if plain is None:
        return None
    user_id, _, at = plain.partition('.')
    return int(user_id) if int(at) <= now() + 60 and now() - int(at) <= MAX_AGE else None

# --- the services
def ask(method, url, headers=None, body=None):
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()

def app_of(service):
    secret = E('SALES_CRM_SECRET') if service == 'sales_crm' else service + '-client-secret'
    return {'client_id': service + '-app', 'client_secret': secret}

def store(service, answer, extra):
    old = records.get(service) or {}
    records[service] = {
        'access': seal(answer['access_token']),
        'refresh': seal(answer.get('refresh_token') or unseal(old.get('refresh', seal('')))),
        'method': 'oauth', 'at': now(), 'extra': {**extra, **{k: answer[k] for k in ('api_domain',) if answer.get(k)}},
    }
    save()

def save():
    with open(os.path.join(DATA, 'records.json'), 'w') as file:
        json.dump(records, file)

def exchange(service, code, verifier):
    fields = {'grant_type': 'authorization_code', 'code': code, 'redirect_uri': f'{BASE}/link/{service}/back', **app_of(service)}
    if service == 'signing':
        fields['scope'] = 'read+write'
        del fields['redirect_uri']
    if verifier:
        fields['code_verifier'] = verifier
    status, _, body = ask('POST', E(service.upper() + '_TOKEN_URL'), body=urllib.parse.urlencode(fields).encode())
    if status == 200:
        store(service, json.loads(body), {})
    return status == 200

def renew(service, used):
    with renewing:
        record = records[service]
        if record['access'] != used:
            return True
        fields = {'grant_type': 'refresh_token', 'refresh_token': unseal(record['refresh']), **app_of(service)}
        status, _, body = ask('POST', E(service.upper() + '_TOKEN_URL'), body=urllib.parse.urlencode(fields).encode())
        if status == 200:
            store(service, json.loads(body), record['extra'])
        return status == 200

def job():
    while True:
        time.sleep(1)
        for service, seconds in RENEW_S.items():
            record = records.get(service)
            if record and record['method'] == 'oauth' and now() - record['at'] > seconds:
                renew(service, record['access'])

def authorization(service, record):
    token = unseal(record['access'])
    if record['method'] == 'api_key':
        return {'Authorization': f'API-Key {token}'}, ''
    if record['method'] == 'personal_token':
        return ({}, 'api_token=' + urllib.parse.quote(token, '')) if service == 'sales_crm' else ({'Authorization': token}, '')
    return {'Authorization': ('Suite-oauthtoken ' if service == 'suite_crm' else 'Bearer ') + token}, ''

atonce = threading.BoundedSemaphore(5)
bursts = {}

def admitted(name, points, window):
    """Waits for a place in the budget; False if that would take long."""
    for _ in range(40):
        with lock:
            recent = [at for at in bursts.get(name, []) if time.monotonic() - at < window]
            bursts[name] = recent
            if len(recent) < points:
                recent.append(time.monotonic())
                return True
        if window > 10:
            return False
        time.sleep(0.1)
    return False

def place_of(service, path):
    """Where an operation goes: the table of versions of the interface."""
    if service == 'sales_crm':
        group = path.split('?')[0].split('/')[1]
        is_old = group in ('leads', 'notes', 'files', 'goals', 'users', 'roles', 'webhooks') and not path.split('?')[0].endswith('/convert/deal')
        return E('SALES_CRM_URL') + ('/v1' if is_old else '/api/v2') + path
    if service == 'signing':
        return E('SIGNING_URL') + '/public/v1' + path
    return records[service]['extra'].get('api_domain', E('SUITE_CRM_URL')) + '/crm/v8' + path

def call(service, method, url, body=None, headers=None):
    """One call: the header, once more after a 401 with a new token, and with growing pauses after 429."""
    record = records.get(service)
    if record is None:
        return 409, {'reason': 'not_connected'}
    hourly = 500 if record['method'] == 'oauth' else 1500
    budget = {'sales_crm': ('sales', 20, 2), 'tracker': ('tracker', hourly, 3600)}.get(service)
    if service == 'signing':
        budget = (f"{record['method']} {method} {url}", 10 if record['method'] == 'api_key' else 60, 60)
    if budget and not admitted(*budget):
        return 429, {'reason': 'rate_limited'}
    renewed, tries = False, 0
    while True:
        record = records[service]
        own, query = authorization(service, record)
        full = url + (('&' if '?' in url else '?') + query if query else '')
        status, given, answer = ask(method, full, {**(headers or {}), **own}, body)
        if status == 401 and not renewed and record['method'] == 'oauth':
            renewed = True
            if renew(service, record['access']):
                continue
        if status == 429 and tries < 4:
            tries += 1
            wait = given.get('Retry-After') or given.get('retry-after')
            time.sleep(min(float(wait), 10) if wait else secrets.randbelow(1000) / 1000 * 0.2 * 2 ** tries)
            continue
        break
    if status >= 400:
        return status, {'reason': 'failed', 'status': status}
    try:
        return 200, normalized(service, json.loads(answer) if answer else None)
    except ValueError:
        return 200, answer

def normalized(service, data):
    if service == 'tracker' and isinstance(data, dict):
        if data.get('errors') and not data.get('data'):
            return {'reason': 'failed'}
    pagination = None
    if isinstance(data, dict) and isinstance(data.get('additional_data'), dict):
        following = (data['additional_data'].get('pagination') or {}).get('next_cursor')
        pagination = {'next': following, 'hasMore': bool(following)}
    if isinstance(data, dict) and isinstance(data.get('info'), dict):
        more = data['info'].get('more_records') is True
        pagination = {'next': str(data['info'].get('page', 1) + 1) if more else None, 'hasMore': more}
    if isinstance(data, dict) and 'results' in data:
        data = data['results']
    found = data.get('data', data) if isinstance(data, dict) else data
    return {'data': found, **({'pagination': pagination} if pagination else {})}

def graphql(document):
    body = json.dumps({'query': document}).encode()
    return call('tracker', 'POST', E('TRACKER_URL') + '/graphql', body, {'Content-Type': 'application/json'})

TOOLS = {
    'sales_crm_deals_list': lambda a: call('sales_crm', 'GET', place_of('sales_crm', '/deals')),
    'signing_documents_list': lambda a: call('signing', 'GET', place_of('signing', '/documents')),
    'suite_record_list': lambda a: call('suite_crm', 'GET', place_of('suite_crm', '/' + str(a.get('module', 'Leads')))),
    'tracker_viewer': lambda a: graphql('query { viewer { id name } }'),
}

def verified(service, headers, raw):
    secret = E(service.upper() + '_SECRET').encode()
    if not secret:
        return False
    try:
        payload = json.loads(raw)
    except ValueError:
        payload = None
    if service == 'suite_crm':
        given = payload.get('token') if isinstance(payload, dict) else None
        return isinstance(given, str) and hmac.compare_digest(given.encode(), secret)
    name = {'sales_crm': 'X-SalesCrm-Signature', 'signing': 'X-Signing-Signature', 'tracker': 'Tracker-Signature'}[service]
    if not hmac.compare_digest((headers.get(name) or '').encode(), hmac.new(secret, raw, 'sha256').hexdigest().encode()):
        return False
    if service == 'signing':
        events = payload if isinstance(payload, list) else [payload]
        return all(isinstance(e, dict) and fresh(e.get('date_created'), 300) for e in events)
    return service != 'tracker' or (isinstance(payload, dict) and fresh(payload.get('webhookTimestamp'), 60))

def fresh(when, seconds):
    if isinstance(when, str):
        try:
            from datetime import datetime
            when = datetime.fromisoformat(when.replace('Z', '+00:00')).timestamp() * 1000
        except ValueError:
            return False
    return isinstance(when, (int, float)) and abs(now() * 1000 - when) <= seconds * 1000

HIDDEN = ('client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method')

class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body='', kind='text/html; charset=utf-8', headers=()):
        raw = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        for name, value in (('Content-Type', kind), ('Content-Length', str(len(raw))), ('X-Content-Type-Options', 'nosniff'), *headers):
            self.send_header(name, value)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(raw)

    def json(self, status, value):
        if isinstance(value, bytes):
            return self.answer(status, value, 'application/octet-stream')
        self.answer(status, json.dumps(value), 'application/json', (('Cache-Control', 'no-store'),))

    def page(self, status, title, inside, headers=()):
        frame = ('Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'"), ('Cache-Control', 'no-store')
        self.answer(status, f'<!doctype html><title>{title}</title><body>{inside}</body>', headers=(*frame, *headers))

    def cookie(self):
        pairs = [part.strip().partition('=') for part in (self.headers.get('Cookie') or '').split(';')]
        return next((value for name, _, value in pairs if name == 'user'), None)

    def session(self, user_id):
        return ('Set-Cookie', f'user={token_for(user_id)}; Path=/; Max-Age={MAX_AGE}; HttpOnly; Secure; SameSite=Lax')

    def caller(self):
        bearer = self.headers.get('Authorization') or ''
        given = bearer[7:] if bearer.startswith('Bearer ') else self.cookie()
        return given, None if given is None else user_of(given)

    def handle_one(self):
        length = int(self.headers.get('Content-Length') or 0)
        raw = self.rfile.read(min(length, 1 << 20))
        if length > 1 << 20:
            self.close_connection = True
            return self.answer(413)
        url = urllib.parse.urlsplit(self.path)
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query, keep_blank_values=True).items()}
        path = url.path
        if path == '/register' and self.command == 'POST':
            return self.register(raw)
        if path == '/authorize':
            fields = urllib.parse.parse_qs(raw.decode(), keep_blank_values=True)
            return self.authorize(query if self.command == 'GET' else {k: v[0] for k, v in fields.items()})
        if path == '/token' and self.command == 'POST':
            return self.token({k: v[0] for k, v in urllib.parse.parse_qs(raw.decode()).items()})
        if path == '/set':
            return self.answer(200, 'A cookie was set.', 'text/plain', (self.session(0),))
        if path.startswith('/.well-known/'):
            return self.json(404, {'error': 'not_found'})
        if path.startswith('/webhooks/') and path[10:] in SERVICES:
            return self.json(200, {'received': True}) if verified(path[10:], self.headers, raw) else self.json(401, {'error': 'unverified'})
        given, user_id = self.caller()
        if user_id is None:
            if given is None:
                return self.page(401, 'Authentication Required', '<a href="/authorize">Log in</a>')
            return self.page(401, 'Invalid session', 'Invalid session. Please log in again.')
        if path == '/message' and self.command == 'POST':
            return self.message(raw)
        if path in ('/floki/index', '/page'):
            return self.page(200, 'Home', f'User {user_id}')
        if path.startswith('/link/'):
            return self.link(path.split('/')[2], path.endswith('/back'), query)
        if path == '/keys' and self.command == 'POST':
            body = json.loads(raw)
            records[body['service']] = {'access': seal(body['access_token']), 'refresh': seal(''), 'method': body['auth_method'], 'at': now(), 'extra': {}}
            save()
            return self.json(200, {'service': body['service']})
        for service in SERVICES:
            if path.startswith(f'/rest/{service}/'):
                inner = path[len(f'/rest/{service}'):] + ('?' + url.query if url.query else '')
                if service == 'tracker':
                    return self.json(*graphql('query { viewer { id name } }')) if inner == '/viewer' else self.json(404, {'reason': 'not_found'})
                return self.operation(service, inner, raw)
        return self.answer(404)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_one

    def operation(self, service, inner, raw):
        headers = {'Content-Type': self.headers.get('Content-Type')} if raw else {}
        if service == 'suite_crm' and inner == '/settings/tags' and self.command == 'POST':
            inner += '?module=' + urllib.parse.quote(json.loads(raw).get('module', ''))
        if service == 'suite_crm' and '/' not in inner[1:] and self.command == 'POST' and len(json.loads(raw).get('data', [])) > 100:
            return self.json(400, {'reason': 'invalid_input'})
        if service == 'suite_crm' and any(part[9:].isdigit() and int(part[9:]) > 200 for part in inner.partition('?')[2].split('&') if part.startswith('per_page=')):
            return self.json(400, {'reason': 'invalid_input'})
        if service == 'signing' and inner.endswith('/status') and json.loads(raw).get('status') not in ('completed', 'expired', 'declined'):
            return self.json(400, {'reason': 'invalid_input'})
        if service not in records:
            return self.json(409, {'reason': 'not_connected'})
        if service != 'suite_crm':
            return self.json(*call(service, self.command, place_of(service, inner), raw or None, headers))
        with atonce:
            return self.json(*call(service, self.command, place_of(service, inner), raw or None, headers))

    def register(self, raw):
        try:
            given = json.loads(raw)
        except ValueError:
            return self.json(400, {'error': 'invalid_client_metadata'})
        uris = given.get('redirect_uris', []) if isinstance(given, dict) else None
        if not isinstance(uris, list) or any(not isinstance(u, str) or not allowed(u) for u in uris):
            return self.json(400, {'error': 'invalid_redirect_uri'})
        client = {
            'client_id': 'client_' + b64(secrets.token_bytes(24)), 'client_secret': b64(secrets.token_bytes(32)),
            'client_name': given.get('client_name', 'MCP Client'), 'redirect_uris': uris, 'token_endpoint_auth_method': 'client_secret_post',
        }
        clients[client['client_id']] = client
        self.json(201, client)

    def authorize(self, fields):
        client = clients.get(fields.get('client_id', ''))
        if client is None or fields.get('redirect_uri') not in client['redirect_uris']:
            return self.page(400, 'Error', 'This client is not known, or not with this redirect URI.')
        if fields.get('code_challenge') and fields.get('code_challenge_method') != 'S256':
            return self.page(400, 'Error', 'Only S256 is supported.')
        hidden = ''.join(f'<input type="hidden" name="{n}" value="{html.escape(fields[n])}">' for n in HIDDEN if n in fields)
        name, banner = html.escape(client['client_name']), ''
        if 'password' in fields:
            if fields.get('email') == EMAIL and fields['password'] == PASSWORD:
                return self.consent(name, hidden, 1, (self.session(1),))
            banner = '<p>Signing in failed.</p>'
        cookie = self.cookie()
        user_id = None if cookie is None else user_of(cookie)
        if not user_id:
            form = '<input type="email" name="email"><input type="password" name="password"><button>Log in</button>'
            return self.page(200, 'Log in', f'<h1>{name}</h1>{banner}<form method="post" action="/authorize">{hidden}{form}</form>')
        if 'decision' not in fields or unseal(fields.get('proof', '')) != f'{user_id} {hidden}':
            return self.consent(name, hidden, user_id)
        query = {'state': fields['state']} if 'state' in fields else {}
        if fields['decision'] != 'allow':
            return self.leave(fields['redirect_uri'], {'error': 'access_denied', **query})
        code = 'code_' + b64(secrets.token_bytes(24))
        codes[code] = {**{n: fields.get(n) for n in HIDDEN}, 'user_id': user_id, 'at': now()}
        self.leave(fields['redirect_uri'], {'code': code, **query})

    def consent(self, name, hidden, user_id, headers=()):
        proof = f'<input type="hidden" name="proof" value="{seal(f"{user_id} {hidden}")}">'
        buttons = ''.join(f'<button name="decision" value="{v}">{w}</button>' for v, w in (('allow', 'Allow Access'), ('deny', 'Deny')))
        self.page(200, 'Allow access', f'<h1>{name}</h1><form method="post" action="/authorize">{hidden}{proof}{buttons}</form>', headers)

    def leave(self, uri, query):
        self.answer(302, '', headers=(('Location', uri + ('&' if '?' in uri else '?') + urllib.parse.urlencode(query)),))

    def token(self, fields):
        fail = lambda reason: self.json(400, {'error': 'invalid_grant', 'reason': reason})
        if fields.get('grant_type') != 'authorization_code':
            return fail('invalid_code')
        with lock:
            code = codes.get(fields.get('code', ''))
            if code is None:
                return fail('invalid_code')
            if now() - code['at'] > CODE_AGE:
                return fail('expired_code')
            if code['client_id'] != fields.get('client_id'):
                return fail('invalid_client')
            if code['redirect_uri'] != fields.get('redirect_uri'):
                return fail('invalid_redirect_uri')
            if code['code_challenge']:
                challenge = b64(hashlib.sha256(fields.get('code_verifier', '').encode()).digest())
                if not hmac.compare_digest(challenge, code['code_challenge']):
                    return fail('invalid_code_verifier')
            del codes[fields['code']]
        self.json(200, {'access_token': token_for(code['user_id']), 'token_type': 'bearer', 'expires_in': MAX_AGE})

    def link(self, service, is_back, query):
        if is_back:
            state = states.pop(query.get('state', ''), None)
            if state is None or state[0] != self.cookie() or not exchange(service, query.get('code', ''), state[1]):
                return self.answer(400)
            return self.answer(303, '', headers=(('Location', '/page'),))
        state, verifier = b64(secrets.token_bytes(24)), b64(secrets.token_bytes(32))
        states[state] = (self.cookie(), verifier if service == 'tracker' else None)
        asked = {'client_id': app_of(service)['client_id'], 'redirect_uri': f'{BASE}/link/{service}/back', 'scope': SCOPES[service], 'response_type': 'code', 'state': state}
        if service == 'suite_crm':
            asked['access_type'] = 'offline'
        if service == 'tracker':
            asked.update(code_challenge=b64(hashlib.sha256(verifier.encode()).digest()), code_challenge_method='S256')
            if query.get('actor_mode') == 'app':
                asked['actor'] = 'app'
        self.answer(302, '', headers=(('Location', E(service.upper() + '_AUTHORIZE_URL') + '?' + urllib.parse.urlencode(asked)),))

    def message(self, raw):
        try:
            given = json.loads(raw)
        except ValueError:
            return self.json(400, {'jsonrpc': '2.0', 'id': None, 'error': {'code': -32700, 'message': 'no JSON'}})
        if 'id' not in given:
            return self.answer(202)
        method, params = given.get('method'), given.get('params') or {}
        result = None
        if method == 'initialize':
            result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'foreign', 'version': '1'}}
        elif method == 'ping':
            result = {}
        elif method == 'tools/list':
            result = {'tools': [{'name': name, 'inputSchema': {'type': 'object'}} for name in TOOLS]}
        elif method == 'tools/call' and params.get('name') in TOOLS:
            status, value = TOOLS[params['name']](params.get('arguments') or {})
            result = {'content': [{'type': 'text', 'text': json.dumps(value)}], 'isError': status >= 400}
        error = {'error': {'code': -32601, 'message': 'There is no such method'}}
        self.json(200, {'jsonrpc': '2.0', 'id': given['id'], **(error if result is None else {'result': result})})

def allowed(uri):
    try:
        url = urllib.parse.urlsplit(uri)
    except ValueError:
        return False
    if url.fragment or url.username or not url.scheme:
        return False
    return url.scheme == 'https' or (url.scheme == 'http' and url.hostname in ('127.0.0.1', '::1', 'localhost')) or '.' in url.scheme

class Clock(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        offset[0] = json.loads(self.rfile.read(int(self.headers['Content-Length'])))['now'] / 1000 - time.time()
        self.send_response(204)
        self.end_headers()

class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

if E('CLOCK_URL'):
    clock = urllib.parse.urlsplit(E('CLOCK_URL'))
    threading.Thread(target=Server((clock.hostname, clock.port), Clock).serve_forever, daemon=True).start()
threading.Thread(target=job, daemon=True).start()
Server((E('HOST', '127.0.0.1'), int(E('PORT', '3000'))), Handler).serve_forever()
