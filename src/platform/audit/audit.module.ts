import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit-filters-and-subjects.repository.js';

/** Serves the journal to Admins. */
@Module({ controllers: [AuditController], providers: [AuditRepository] })
export class AuditModule {}
