import { Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { KEY_CHECK_STORE, keyChecksIn } from '../../platform/encryption/key-proof-rotation-and-first-ring.js';
import { OauthModule } from '../oauth/oauth.module.js';
import { ServerProcessesModule } from '../server-processes/server-processes.module.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { CredentialSetsController } from './credential-sets.controller.js';
import { CredentialSetsService } from './credential-sets.service.js';
import {
  CredentialsService,
  CredentialValuesService,
  holdsSealedValues,
} from './credentials-and-env-values.service.js';
import { ServerCredential } from '../server-records/server-records.entities.js';

const keyCheckStore = {
  provide: KEY_CHECK_STORE,
  inject: [getDataSourceToken()],
  useFactory: (source: DataSource) =>
    keyChecksIn(
      (sql, parameters) => source.query(sql, parameters),
      () => holdsSealedValues(source),
    ),
};

@Module({
  imports: [
    TypeOrmModule.forFeature([ServerCredential]),
    OauthModule,
    ServerProcessesModule,
    ServerRecordsModule,
  ],
  controllers: [CredentialSetsController],
  providers: [keyCheckStore, CredentialSetsService, CredentialValuesService, CredentialsService],
  exports: [CredentialSetsService, CredentialValuesService, CredentialsService],
})
export class CredentialsModule {}
