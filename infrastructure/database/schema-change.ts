import { Migration } from '@mikro-orm/migrations';

/** One step of the schema, run once and in one transaction; `statements` differ where the databases do. */
export type SchemaChange = Readonly<{
  /** Recorded in the database once it ran; sorts by number: '0001-first-tables'. */
  name: string;
  statements(kind: 'sqlite' | 'postgres'): readonly string[];
}>;

/** Wraps the change in a class of the ORM's migrator. */
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
