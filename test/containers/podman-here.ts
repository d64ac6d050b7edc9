import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newerRelease, unpackPackages } from '#test/containers/debian-root.ts';
import { type Engine, engineOf, type Images } from '#test/containers/engine.ts';
import { makeStandIns } from '#test/containers/stand-ins.ts';

const run = promisify(execFile);

/** The network namespace in which the containers are published. */
export const networkNamespace = 'portolan-containers';

const packages = [
  'podman',
  'runc',
  'conmon',
  'netavark',
  'aardvark-dns',
  'iptables',
  'nftables',
  'iproute2',
  'catatonit',
  'fuse-overlayfs',
];

/** The DNS server of podman's networks: that of Debian 12 loses queries whenever a container starts or ends, and callers wait for 30 s. */
const dnsPackages = ['aardvark-dns'];

/** Why containers cannot be made here without an engine; null when they can. */
export async function obstacle(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'this is not Linux as root';
  if (!existsSync('/usr/bin/apt-get')) return 'podman would be installed by apt-get, which is not there';
  const canMake = await run('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).then(
    () => true,
    () => false,
  );
  return canMake ? null : 'this machine does not let namespaces be made';
}

/** Returns podman as it was set up in this folder. */
export function podmanIn(folder: string): Engine {
  return engineOf('podman', { ...process.env, ...environmentIn(folder) });
}

function environmentIn(folder: string): Readonly<Record<string, string>> {
  return {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
  };
}

/**
 * Installs podman from Debian's packages where no engine is, with settings of its own in the folder, and makes stand-ins
 * for those images that are wanted and that only a registry of images has. Returns both.
 */
export async function setUpPodman(
  folder: string,
  wanted: ReadonlySet<keyof Images>,
): Promise<Readonly<{ engine: Engine; images: Images }>> {
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const missing = !existsSync('/usr/bin/podman') || !existsSync('/usr/bin/catatonit') || !existsSync('/usr/sbin/runc');
  if (missing) {
    await run('apt-get', ['update', '-qq'], { env });
    await run(
      'apt-get',
      ['-o', 'DPkg::Lock::Timeout=280', 'install', '-y', '-qq', '--no-install-recommends', ...packages],
      { env, maxBuffer: 1e8 },
    );
  }
  const { stdout } = await run('bash', ['-c', 'ulimit -Hn']);
  const files = stdout.trim();
  const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/store"\nrunroot = "${folder}/run"\n`;
  // podman cannot raise the limits of a process that may not; crun refuses mixed control groups, and there is no systemd here.
  const limits = `default_ulimits = ["nofile=${files}:${files}", "nproc=32768:32768"]`;
  const helpers = join(folder, 'helpers/usr/lib/podman');
  if (!existsSync(helpers)) {
    const packed = { names: dnsPackages, release: newerRelease };
    await unpackPackages(packed, join(folder, 'dns'), join(folder, 'helpers'));
    await rm(join(folder, 'dns'), { recursive: true });
  }
  const engineSettings = `[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\nhelper_binaries_dir = ["${helpers}", "/usr/lib/podman"]\n`;
  await writeFile(join(folder, 'storage.conf'), storage);
  await writeFile(join(folder, 'containers.conf'), `[containers]\n${limits}\n${engineSettings}`);
  await writeFile(
    join(folder, 'registries.conf'),
    'unqualified-search-registries = []\nshort-name-mode = "permissive"\n',
  );
  if (!existsSync(join('/run/netns', networkNamespace))) await run('ip', ['netns', 'add', networkNamespace]);
  await run('ip', ['netns', 'exec', networkNamespace, 'ip', 'link', 'set', 'lo', 'up']);
  await weighContainers();
  const engine = podmanIn(folder);
  return { engine, images: await makeStandIns(engine, folder, wanted) };
}

/** The control group of all of podman's containers, where there is no systemd. */
const allContainers = '/sys/fs/cgroup/cpu/libpod_parent';

/** Lets them weigh as much as eight processes: together they would get as little of the processors as one, which starves five servers. */
async function weighContainers(): Promise<void> {
  if (!existsSync('/sys/fs/cgroup/cpu/cgroup.procs')) return;
  await mkdir(allContainers, { recursive: true });
  await writeFile(join(allContainers, 'cpu.shares'), '8192');
}
