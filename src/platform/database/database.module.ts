import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { dataSourceOptions } from './data-source-pool-and-limits.js';
import { DatabaseService } from './database.service.js';
import { KeysetPagesService } from './keyset-pages.service.js';
import { poolUrl } from './service.client.js';
import { JoiningDataSource, TransactionsService } from './transactions.service.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param url of a database whose migrations have run */
  static at(url: string): DynamicModule {
    const connection = TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        ...dataSourceOptions(url, settings.databasePoolSize, {
          isPooled: settings.isDatabasePooled,
          usesPreparedStatements: settings.usesPreparedStatements,
          presentUrl: poolUrl(settings),
          boundsWrites: true,
        }),
        retryAttempts: 0,
        autoLoadEntities: true,
      }),
      dataSourceFactory: async (options) => new JoiningDataSource(options!).initialize(),
    });
    return {
      module: DatabaseModule,
      imports: [connection],
      providers: [DatabaseService, KeysetPagesService, TransactionsService],
      exports: [DatabaseService, KeysetPagesService, TransactionsService],
    };
  }
}
