import { Module } from '@nestjs/common';
import { QuotasRepository, QuotasService } from './quotas.service.js';

/** Bounds what each agent writes per hour. */
@Module({ providers: [QuotasRepository, QuotasService], exports: [QuotasService] })
export class QuotasModule {}
