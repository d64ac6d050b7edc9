import { Migration } from '@mikro-orm/migrations';

/** A schema migration, run once in a transaction; `statements` may differ between databases. */
export type SchemaChange = Readonly<{
  /** Stored in the database after it ran; starts with its sequence number: '0001-first-tables'. */
  name: string;
  statements(kind: 'sqlite' | 'postgres'): readonly string[];
}>;

/** Wraps the change as a migration class of the ORM. */
export function migrationClass(
  change: SchemaChange,
  kind: 'sqlite' | 'postgres',
): new (
  ...args: ConstructorParameters<typeof Migration>
) => Migration {
  return class extends Migration {
    override up(): void {
      for (const statement of change.statements(kind)) this.addSql(statement);
    }
  };
}
