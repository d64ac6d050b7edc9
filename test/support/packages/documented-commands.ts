/**
 * How a command in the documents is covered: by a test, and a text in that test which proves it; or by a shorter form of the command,
 * which the long form of the suite runs.
 */
export type Covered = Readonly<{ command: string }> &
  (
    | Readonly<{ by: string; text: string }>
    | Readonly<{ runs: readonly string[]; env?: Readonly<Record<string, string>> }>
  );

const clients = { by: 'test/unit/pages/connect-hints.test.ts', text: 'docs/clients.md' };
const running = { by: 'test/unit/package/running-files.test.ts', text: 'portolan.service' };
const kit = { by: 'test/e2e/contract-suite.test.ts', text: "'test/kit/main.ts'" };
const packed = { by: 'test/e2e/package.test.ts', text: 'PKG-003' };
const oneFile = 'test/unit/pages/shown-time.test.ts';
const format = { by: 'test/unit/package/documented-commands.test.ts', text: 'format existing files' };

/** Every command in the documents, without comment and variables; a final `…` matches any rest. */
export const documentedCommands: readonly Covered[] = [
  { command: 'npm ci', by: 'test/architecture/lock-file.test.ts', text: 'npm ci' },
  { command: 'npm ci --omit=dev', by: 'test/e2e/container.test.ts', text: 'bootstrap' },
  { command: 'npm start', by: 'test/e2e/npm-start.test.ts', text: 'RUN-008' },
  { command: 'npm test', runs: ['test', '--', oneFile] },
  { command: 'npm run demo', by: 'test/e2e/demo.test.ts', text: 'plays the story' },
  { command: 'npm run demo -- --two-crms', by: 'test/http/services/both-crms.test.ts', text: 'playTwoCrms' },
  { command: 'npm run doctor', by: 'test/e2e/doctor.test.ts', text: 'bootstrap/cli/doctor.ts' },
  { command: 'npm run user -- add ann@example.com', by: 'test/cli/user-process.test.ts', text: "'add'" },
  {
    command: 'npm run user -- deactivate ann@example.com',
    by: 'test/cli/user-command.test.ts',
    text: "'deactivate'",
  },
  { command: 'npm run user -- link …', by: 'test/cli/user-process.test.ts', text: "'link'" },
  { command: 'npm run keys -- rotate', by: 'test/cli/keys-command.test.ts', text: "'rotate'" },
  { command: 'npm run webhooks -- list', by: 'test/http/webhooks/command.test.ts', text: 'list shows' },
  { command: 'npm run reactions -- list', runs: ['reactions', '--', 'list'] },
  { command: 'npm run backup -- …', by: 'test/e2e/backup.test.ts', text: "'backup'" },
  { command: 'npm run restore -- …', by: 'test/e2e/backup.test.ts', text: "'restore'" },
  { command: 'npm run --silent stdio', by: 'test/e2e/stdio.test.ts', text: 'PORTOLAN_EMAIL' },
  { command: 'npm run build', by: 'test/support/packages/unpacked-package.ts', text: 'writePackage' },
  { command: 'npm run release -- --dry', by: 'test/e2e/package.test.ts', text: 'makeRelease' },
  { command: 'npm run check', runs: ['check', '--', oneFile] },
  { command: 'npm run format', ...format },
  { command: 'npm run bench', runs: ['bench', '--', 'rest'], env: { BENCH_SECONDS: '0.2', BENCH_ROUNDS: '1' } },
  { command: 'npm run tasks', runs: ['tasks', '--', 'deal-stage'] },
  { command: 'npm run containers', by: 'test/containers/containers.test.ts', text: 'npm run containers' },
  { command: 'npm run faults', by: 'test/faults/start.test.ts', text: 'short-form' },
  { command: 'npm run fuzz -- 5m', runs: ['fuzz', '--', '2s', '--seed', '1'] },
  { command: 'npm run soak -- 30m', runs: ['soak', '--', '2s'], env: { SOAK_EVERY: '1s' } },
  { command: 'npm run contract', ...kit },
  { command: 'npm run contract -- …', ...kit },
  { command: 'npx portolan-contract …', by: 'test/e2e/contract-suite.test.ts', text: 'portolan-contract' },
  { command: 'npx ./portolan-0.2.0.tgz', ...packed },
  { command: 'npx ./portolan-0.2.0.tgz doctor', by: 'test/e2e/package.test.ts', text: 'PKG-004' },
  { command: 'npm install ./portolan-0.2.0.tgz', by: 'test/support/packages/unpacked-package.ts', text: 'pack' },
  {
    command: 'npm install @opentelemetry/sdk-node',
    by: 'test/unit/infrastructure/tracing.test.ts',
    text: 'npm install',
  },
  {
    command: 'npx @modelcontextprotocol/inspector --cli …',
    by: 'test/clients/inspector.test.ts',
    text: 'standard input and output',
  },
  { command: 'claude mcp …', ...clients },
  { command: 'codex mcp …', ...clients },
  { command: 'opencode mcp …', ...clients },
  { command: 'docker compose up …', ...running },
  { command: 'sh ../compose/make-secrets.sh', ...running },
  { command: 'sh ../make-secrets.sh', ...running },
  { command: 'cd docs/compose/one-server', ...running },
  { command: 'cat secrets/admin_password', ...running },
  { command: 'kubectl …', by: 'test/unit/package/kubernetes.test.ts', text: 'RUN-047' },
  { command: 'sudo useradd …', ...running },
  { command: 'sudo cp docs/running/portolan.service …', ...running },
  { command: 'sudo install --mode=600 /dev/null /etc/portolan.env', ...running },
  { command: 'sudo systemctl enable --now portolan', ...running },
  { command: 'journalctl --unit portolan', ...running },
  { command: 'sudo systemd-run …', by: 'test/e2e/doctor.test.ts', text: 'DATA_DIR' },
];
