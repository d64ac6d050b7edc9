import { z } from 'zod';

const entrySchema = z.looseObject({
  version: z.string().optional(),
  /** The hash of its tarball: `sha512-…`. */
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  /** Where it is from; a path when it is a folder of the project. */
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const schema = z.looseObject({ packages: z.record(z.string(), entrySchema) });
type Lock = z.infer<typeof schema>;
/** As much of a `package-lock.json` as is read here; what is parsed stays as it is, down to the order of its members. */
export const lockSchema = z.custom<Lock>((value) => schema.safeParse(value).success);

/** What the name of a platform's package ends with: `linux-x64-musl`, `darwin-arm64`, `win32-x64-msvc`. */
const platform =
  /(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(?<abi>[a-z]+))?$/;

/** A package of one platform that another wants and the lock file does not name: `npm ci` fails for the want of it. */
export type MissingPackage = Readonly<{ name: string; version: string; wantedBy: string }>;

/**
 * The optional packages of other platforms that a lock file lacks. npm leaves them out when the registry that it was made with does not
 * have them, and then refuses the lock file everywhere.
 */
export function missingPlatforms({ packages }: Lock): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const isThere = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
      return path === '' || isThere || !platform.test(name) ? [] : [{ name, version, wantedBy: path }];
    }),
  );
}

/** The same lock file with an entry for each of them: what the registry of the field has, but for the hash. */
export function withPlatforms(lock: Lock): Lock {
  const added = missingPlatforms(lock).map(({ name, version, wantedBy }) => {
    const { os = '', cpu = '', abi = '' } = platform.exec(name)?.groups ?? {};
    const { license, dev } = lock.packages[wantedBy] ?? {};
    const libc = abi.includes('musl') ? 'musl' : 'glibc';
    const isFree = os !== 'linux' || abi === '';
    const entry = { version, cpu: [cpu], dev, ...(isFree ? {} : { libc: [libc] }), license, optional: true, os: [os] };
    return [`node_modules/${name}`, entry] as const;
  });
  const packages = [...Object.entries(lock.packages), ...added].sort(([one], [other]) =>
    one.localeCompare(other, 'en'),
  );
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** The packages of a registry without a hash, whose tarball npm would take as it comes. */
export function missingHashes({ packages }: Lock): readonly Readonly<{ name: string; version: string }>[] {
  return Object.entries(packages).flatMap(([path, { version = '', integrity, link }]) => {
    const name = nameOf(path);
    return name === null || link === true || integrity !== undefined ? [] : [{ name, version }];
  });
}

/** The same lock file with these hashes, by `name@version`; one that is no hash is left out. */
export function withHashes(lock: Lock, hashes: ReadonlyMap<string, string>): Lock {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const { version, ...rest } = entry;
    const hash = entry.integrity === undefined ? hashes.get(`${nameOf(path)}@${version}`) : undefined;
    const isHash = hash !== undefined && /^sha512-[A-Za-z0-9+/]{86}==$/.test(hash);
    return [path, isHash ? { version, integrity: hash, ...rest } : entry] as const;
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

function nameOf(path: string): string | null {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? null;
}
