import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of the key ring that this database was sealed with, and the proof that it is the same key. */
@Entity('encryption_keys')
export class EncryptionKey {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'encryption_keys_pk' })
  id!: string;

  @Column({ type: 'text', name: 'check_value' })
  checkValue!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
