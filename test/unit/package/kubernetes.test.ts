import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';
import { kubernetesFiles, kubernetesFolder, misfits, typeNameOf } from '#test/support/kubernetes/objects.ts';
import { madeSecrets, settingsWith } from '#test/support/packages/compose-files.ts';
import schemas from '../../support/kubernetes/schemas.json' with { type: 'json' };

const generator = z.object({
  name: z.literal('portolan'),
  literals: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
});
const patch = z.strictObject({ target: z.strictObject({ kind: z.string(), name: z.string() }), patch: z.string() });
const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.literal('portolan'),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newTag: z.string() })).optional(),
  configMapGenerator: z.tuple([generator.extend({ behavior: z.literal('merge').optional() }).strict()]),
  secretGenerator: z.tuple([generator.extend({ behavior: z.literal('merge').optional() }).strict()]),
  patches: z.array(patch).optional(),
});
const read = (path: string): string => readFileSync(join(kubernetesFolder, path), 'utf8');
const base = kustomizationSchema.parse(parse(read('kustomization.yaml')));
const overlay = kustomizationSchema.parse(parse(read('notes-app/kustomization.yaml')));

const files = kubernetesFiles();
const objects = files.flatMap((file) => file.objects);

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.literal('http') }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});
const containerSchema = z.object({
  image: z.literal('portolan'),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.tuple([z.strictObject({ configMapRef: z.strictObject({ name: z.literal('portolan') }) })]),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources: z.strictObject({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const deploymentSchema = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        automountServiceAccountToken: z.literal(false),
        securityContext: z.looseObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.literal(1_000),
          fsGroup: z.literal(1_000),
        }),
        containers: z.tuple([containerSchema]),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
});
const find = (kind: string) => objects.find((object) => object.kind === kind);

describe('docs/kubernetes', () => {
  it('has the objects that it should, each in a file that the kustomization names (RUN-047)', () => {
    expect(base.resources.toSorted()).toEqual(files.map(({ file }) => file));
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(new Set(objects.map(({ metadata }) => metadata.name))).toEqual(new Set(['portolan']));
  });

  it.each(objects.map((object) => [object.kind, object] as const))(
    'has a valid %s, by the schemas of Kubernetes (RUN-047)',
    (_, object) => {
      expect(misfits(object, typeNameOf(object), schemas)).toEqual([]);
    },
  );

  it('would be refused with a misspelt, a missing or a wrong member (RUN-047)', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { nam: 'x' },
      spec: { ports: [{ prot: 80 }], type: 1 },
    };
    expect(misfits(object, 'V1Service', schemas)).toEqual([
      '/metadata/nam is no member of V1ObjectMeta',
      '/spec/ports/0/port is missing',
      '/spec/ports/0/prot is no member of V1ServicePort',
      '/spec/type is no string',
    ]);
  });

  const { spec } = deploymentSchema.parse(find('Deployment'));
  const pod = spec.template.spec;
  const [container] = pod.containers;

  it('starts the image with settings that the server accepts, and secrets from files (RUN-047)', () => {
    const made = madeSecrets();
    const literals = base.configMapGenerator[0].literals ?? [];
    const mount = container.volumeMounts.find(({ name }) => name === 'secrets')?.mountPath ?? '';
    const secrets = container.env.map(({ name, value }) => [name, value.replace(`${mount}/`, '/run/secrets/')]);
    const env = Object.fromEntries([...literals.map((text) => text.split(/=(.*)/)), ...secrets]);
    const settings = settingsWith({ DATA_DIR: '/data', ...env }, made.path);
    expect(settings).toMatchObject({ vaultDir: '/shared/notes', templatesDir: '/shared/templates', TRUST_PROXY: true });
    expect(settings.SECRET_KEY_BASE).toHaveLength(96);
    const named = (base.secretGenerator[0].files ?? []).map((file) => file.replace('secrets/', ''));
    expect(secrets.map(([, path]) => path?.replace('/run/secrets/', '')).toSorted()).toEqual(named.toSorted());
    expect(made.names).toEqual(expect.arrayContaining(named));
    made.remove();
  });

  it('mounts what it names, and leaves a stop its time (RUN-047)', () => {
    const volumes = pod.volumes.map(({ name }) => name);
    expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(5_000 + stopBudgetAfter(5_000).allMs);
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) {
      expect(JSON.stringify(find(kind))).toContain(JSON.stringify(spec.selector.matchLabels));
    }
  });

  it('asks for readiness where requests are lost, and for life only where a restart helps (RUN-047)', () => {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/readyz',
      '/healthz',
    ]);
    expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(5);
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300);
  });

  it('runs the version of the package (RUN-047)', () => {
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(base.images).toEqual([{ name: 'portolan', newTag: version }]);
  });

  it('has an overlay without a shared volume, which changes what is there (RUN-047)', () => {
    expect(overlay.resources).toEqual(['..']);
    const targets = (overlay.patches ?? []).map(({ target: { kind, name }, patch: text }) => {
      expect(parse(text)).toMatchObject({ kind, metadata: { name } });
      return kind;
    });
    expect(targets).toEqual(['PersistentVolumeClaim', 'Deployment']);
    expect(overlay.configMapGenerator[0].literals).toEqual(['VAULT_URL=https://notes.example.com']);
  });
});
