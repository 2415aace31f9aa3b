import { Module } from '@nestjs/common';
import { IssuesModule } from '../issues/issues.module.js';
import { LinksController } from './links.controller.js';

@Module({ imports: [IssuesModule], controllers: [LinksController] })
export class LinksModule {}
