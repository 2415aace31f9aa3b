import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Chore } from './chore.entity.js';
import { ChoresWorker } from './chores.worker.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Chore])],
  providers: [ChoresWorker],
  exports: [TypeOrmModule, ChoresWorker],
})
export class ChoresModule {}
