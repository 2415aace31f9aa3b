import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { CredentialSetRepository } from './credential-set.repository.js';
import { InstalledServerRepository } from './installed-server.repository.js';
import { CredentialSet, InstalledServer } from './server-records.entities.js';

/** The rows of installed servers and of their credential sets. */
@Module({
  imports: [TypeOrmModule.forFeature([CredentialSet, InstalledServer])],
  providers: [
    CredentialSetRepository,
    { provide: getRepositoryToken(CredentialSet), useExisting: CredentialSetRepository },
    InstalledServerRepository,
    { provide: getRepositoryToken(InstalledServer), useExisting: InstalledServerRepository },
  ],
  exports: [
    CredentialSetRepository,
    getRepositoryToken(CredentialSet),
    InstalledServerRepository,
    getRepositoryToken(InstalledServer),
  ],
})
export class ServerRecordsModule {}
