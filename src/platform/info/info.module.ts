import { Module } from '@nestjs/common';
import { InfoController } from './info.controller.js';

/** Describes the service to its clients. */
@Module({ controllers: [InfoController] })
export class InfoModule {}
