import Sqlite from 'better-sqlite3';

const index = 'padding_by_text';

/**
 * Has an index of a SQLite file name a row by another value, as a fault of the disk may: a quick check finds nothing. With `padding`, the file gets that
 * many bytes more.
 */
export function spoilIndex(path: string, padding = 0): void {
  const database = new Sqlite(path);
  database.exec(`create table padding (id integer primary key, text text, bytes blob);
    create index ${index} on padding (text)`);
  database.prepare('insert into padding (text, bytes) values (?, zeroblob(?))').run('before', padding);
  database.unsafeMode().pragma('writable_schema = on');
  const row = database.prepare('select * from sqlite_master where name = ?').get(index);
  database.prepare('delete from sqlite_master where name = ?').run(index);
  database.close();
  const without = new Sqlite(path);
  without.exec("update padding set text = 'after'");
  without.unsafeMode().pragma('writable_schema = on');
  without
    .prepare(
      'insert into sqlite_master (type, name, tbl_name, rootpage, sql) values (@type, @name, @tbl_name, @rootpage, @sql)',
    )
    .run(row);
  without.close();
}
