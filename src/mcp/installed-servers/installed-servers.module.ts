import { Module } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { keyChecksIn } from '../../platform/encryption/key-checks.js';
import { KEY_CHECK_STORE } from '../../platform/encryption/key-proof.js';

@Module({
  providers: [
    {
      provide: KEY_CHECK_STORE,
      inject: [Database],
      useFactory: (database: Database) =>
        keyChecksIn(
          (sql, parameters) => database.rows(sql, parameters),
          async () => (await database.row('SELECT 1 FROM server_credentials LIMIT 1')) !== null,
        ),
    },
  ],
})
export class InstalledServersModule {}
