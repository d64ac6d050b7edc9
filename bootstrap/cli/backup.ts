import { runBackupOrRestore } from '#bootstrap/cli/backup-and-restore.ts';

await runBackupOrRestore('backup');
