import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionKey } from './encryption-key.entity.js';
import { Settings } from '../config/settings.js';
import { Encryption } from './encryption.service.js';
import { SecretRegister } from './masking.js';

/** Provides `Encryption`, still locked, and the one `SecretRegister` of the process to every module. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([EncryptionKey])],
  providers: [
    SecretRegister,
    {
      provide: Encryption,
      inject: [Settings],
      useFactory: (settings: Settings) =>
        new Encryption({
          file: settings.encryptionKeyringFile,
          // A key ring in ENCRYPTION_KEYS_FILE may change, as that in a file of its own.
          get keys() {
            return settings.encryptionKeys;
          },
          production: settings.production,
        }),
    },
  ],
  exports: [TypeOrmModule, Encryption, SecretRegister],
})
export class EncryptionModule {}
