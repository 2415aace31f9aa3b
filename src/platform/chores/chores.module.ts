import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Chore } from './chore.entity.js';
import { ChoresRepository, ChoresWorker } from './chores.worker.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Chore])],
  providers: [ChoresRepository, ChoresWorker],
  exports: [TypeOrmModule, ChoresWorker],
})
export class ChoresModule {}
