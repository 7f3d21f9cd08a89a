/// A store of schema 11, as the programs of commit d833b22e left it after a minute: Ada has an alert that is
/// on, with messages that were sent, refused for good, put off, or whose result isn't known, and
/// channels of every kind; Bea is paused. Written by a run of those programs with a mail server that
/// answers so; Bea's armed alert and Ada's gate were added by hand.
enum YesterdaysStore {
  /// A moment after the last write.
  static let milliseconds = 1_795_826_350_000

  static let rows = """
    INSERT INTO "account" VALUES(1,'3ddb3f96-3d99-4179-a4ec-73e116a8287c',1,'Ada',NULL,'','ada@example.org',3600,900,'[1800]',0,1795826324663,1795826324663,165,1795828124663,NULL,'e2d8f7b3-b3d3-4285-a7db-de59555c604b',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,3600,NULL,NULL,'','ada@example.org',NULL,0,NULL,NULL,0);
    INSERT INTO "account" VALUES(2,'e8ffabc9-1777-4fc5-97b7-f742774f2d96',0,'Bea',NULL,'','bea@example.org',86400,900,'[1800]',1,1795826326470,1795826326470,6,1795858726590,NULL,'88242718-b651-4b6a-be73-e7904c290ab8','$argon2id$none',NULL,NULL,NULL,1795862326590,1795826326595,NULL,NULL,3600,NULL,NULL,'','bea@example.org',NULL,0,NULL,NULL,0);
    INSERT INTO "alert" VALUES(1,1,'0120e036-0787-4334-9ab0-a92d5b1b9291','manual','Fell down the stairs',1795826333676,NULL,NULL,0,NULL);
    INSERT INTO "channel" VALUES(1,1,1,'33436f59-185b-4487-85e0-c6a7faf33149','email','grace@example.net',NULL,'');
    INSERT INTO "channel" VALUES(2,1,2,'714b4d9d-0a42-48dd-897c-5194182cf769','email','hal@example.net',NULL,'');
    INSERT INTO "channel" VALUES(3,1,3,'21a2bbdd-daa4-4e98-b947-ea339fc9dcce','email','ivy@example.net',NULL,'');
    INSERT INTO "channel" VALUES(4,1,4,'1a6686fa-2cf8-4247-b7ea-366bd0feefb9','email','jo@example.net',NULL,'');
    INSERT INTO "channel" VALUES(5,1,4,'915df10f-38df-432f-a4b3-b3245cd6e9ad','ntfy','https://ntfy.sh/jo-topic-4711-abcdefgh',NULL,'');
    INSERT INTO "channel" VALUES(6,1,2,'03f7c5d7-0c5a-4b65-8010-adf5bd5c4a5c','webhook','https://127.0.0.1:9/hook','whsec_h7XzEw0bnQ6wFHdVWDNnAryeQ6wrHdGq4oxB0aQ5qRk=','');
    INSERT INTO "channel" VALUES(7,1,3,'adce479f-d028-4399-9b38-ed7fc0cc9810','service','telegram:123456789','{"token":"12345:ABC"}','');
    INSERT INTO "channel" VALUES(8,1,NULL,'efca1e8f-f365-4ed5-ab58-e13e983a3854','ntfy','https://ntfy.sh/ada-own-topic-0815-xyz',NULL,'reminders');
    INSERT INTO "channel" VALUES(9,1,NULL,'2c2c2450-315e-48d9-af82-0b7c270a4eb4','webhook','https://127.0.0.1:9/own','whsec_l+eJ16XSEcwoJfr9IKDZPg6LZG0U/6200FijNyoONB0=','');
    INSERT INTO "channel" VALUES(10,2,5,'b5f1aca3-8ecd-46bd-a006-0e0ac9880745','email','kim@example.net',NULL,'');
    INSERT INTO "check_in" VALUES(1,0,'4d9ce2ff-1a20-4e29-a51d-a4df527e32f9',1795826324663,'manual',NULL);
    INSERT INTO "check_in" VALUES(2,0,'dbc062cc-79a9-4aae-8748-11c91acb19b2',1795826326470,'manual',NULL);
    INSERT INTO "contact" VALUES(1,1,'0bd49710-3df0-4bd4-8795-35fd1fd8a687','Grace Hopper',NULL,'',1,1795826324663,NULL);
    INSERT INTO "contact" VALUES(2,1,'6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457','Hal',NULL,'',1,1795826324744,NULL);
    INSERT INTO "contact" VALUES(3,1,'2c2dbca0-08f6-43ae-b7dd-4f49a75ac223','Ivy',NULL,'',1,1795826324815,NULL);
    INSERT INTO "contact" VALUES(4,1,'2ceb1b00-f75c-4e7e-bd2a-469e88be7897','Jo',NULL,'',1,1795826324892,NULL);
    INSERT INTO "contact" VALUES(5,2,'533acd70-fa38-4175-9642-54210129fb93','Kim',NULL,'',1,1795826326471,NULL);
    INSERT INTO "delivery" VALUES(1,1,'8430cda1-5351-430a-97d0-e22ca61125b6',NULL,-1,'contact_added','0bd49710-3df0-4bd4-8795-35fd1fd8a687','Grace Hopper','email','grace@example.net',NULL,1795826324664,'pending',1795826361497,6,1,0,NULL,NULL,NULL,'the mail server asked to try later, the recipient: 451 4.7.1 try later','',301,'email ',0);
    INSERT INTO "delivery" VALUES(2,1,'9822d95c-24d4-4450-8f41-c71464811dd8',NULL,-1,'contact_added','6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457','Hal','email','hal@example.net',NULL,1795826324745,'failed',1795826416701,1,1,0,NULL,NULL,1795826326757,'the mail server refused the recipient: 550 5.1.1 no such user','',302,'email ',0);
    INSERT INTO "delivery" VALUES(3,1,'a4ab6b10-4cf9-48d9-95b5-3e1149d05d2b',NULL,-1,'contact_added','2c2dbca0-08f6-43ae-b7dd-4f49a75ac223','Ivy','email','ivy@example.net',NULL,1795826324815,'pending',1795826356035,6,1,1,NULL,NULL,NULL,'the mail server''s answer to the message didn''t arrive (Failure when receiving data from the peer)','',303,'email ',0);
    INSERT INTO "delivery" VALUES(4,1,'6c72ed37-31ef-4966-a40f-eca385e9c6fa',NULL,-1,'contact_added','2ceb1b00-f75c-4e7e-bd2a-469e88be7897','Jo','email','jo@example.net',NULL,1795826324893,'sent',1795826416701,1,1,0,NULL,NULL,1795826326757,NULL,'',304,'email ',0);
    INSERT INTO "delivery" VALUES(5,1,'6a52af6d-97b7-4b45-9b63-d759ead417c7',NULL,-1,'contact_added','2ceb1b00-f75c-4e7e-bd2a-469e88be7897','Jo','ntfy','https://ntfy.sh/jo-topic-4711-abcdefgh',NULL,1795826324974,'pending',1795826356665,6,1,0,NULL,NULL,NULL,'the ntfy server could not be reached (Couldn''t resolve host name)','',305,'ntfy ntfy.sh',0);
    INSERT INTO "delivery" VALUES(6,1,'64f5f7c7-af2f-4c5e-b421-e48bd371add3',NULL,-1,'contact_added','6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457','Hal','webhook','https://127.0.0.1:9/hook',NULL,1795826325047,'pending',1795826358732,6,1,0,NULL,NULL,NULL,'the webhook could not be reached (Couldn''t connect to server)','',306,'webhook 127.0.0.1:9',0);
    INSERT INTO "delivery" VALUES(7,1,'e2c2b86c-d721-426f-8d90-bceb3318e3ec',NULL,-1,'contact_added','2c2dbca0-08f6-43ae-b7dd-4f49a75ac223','Ivy','service','telegram:123456789',NULL,1795826325137,'pending',1795826356327,6,1,0,NULL,NULL,NULL,'Telegram could not be reached (Couldn''t resolve host name)','',307,'service telegram',0);
    INSERT INTO "delivery" VALUES(8,2,'3ccdb607-28db-44ae-ac76-3d4f6292453f',NULL,-1,'contact_added','533acd70-fa38-4175-9642-54210129fb93','Kim','email','kim@example.net',NULL,1795826326472,'sent',1795826416701,1,1,0,NULL,NULL,1795826326754,NULL,'',301,'email ',0);
    INSERT INTO "delivery" VALUES(9,1,'c468042c-22a6-8922-aae1-90a78852426b',1,NULL,'alert_on','0bd49710-3df0-4bd4-8795-35fd1fd8a687','Grace Hopper','email','grace@example.net',NULL,1795826333781,'pending',1795826362205,6,1,0,NULL,NULL,NULL,'the mail server asked to try later, the recipient: 451 4.7.1 try later','',101,'email ',0);
    INSERT INTO "delivery" VALUES(10,1,'06361933-9005-852c-bc6c-3b8d8b1860f5',1,NULL,'alert_on','6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457','Hal','email','hal@example.net',NULL,1795826333781,'failed',1795826423788,1,1,0,NULL,NULL,1795826333807,'the mail server refused the recipient: 550 5.1.1 no such user','',102,'email ',0);
    INSERT INTO "delivery" VALUES(11,1,'00772d7d-1940-8e2a-82be-867c5f05d43b',1,NULL,'alert_on','6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457','Hal','webhook','https://127.0.0.1:9/hook',NULL,1795826333781,'pending',1795826368088,6,1,0,NULL,NULL,NULL,'the webhook could not be reached (Couldn''t connect to server)','',103,'webhook 127.0.0.1:9',0);
    INSERT INTO "delivery" VALUES(12,1,'a252dbaf-577d-81e8-af61-8ec731f8f502',1,NULL,'alert_on','2c2dbca0-08f6-43ae-b7dd-4f49a75ac223','Ivy','email','ivy@example.net',NULL,1795826333781,'pending',1795826368617,6,1,1,NULL,NULL,NULL,'the mail server''s answer to the message didn''t arrive (Failure when receiving data from the peer)','',104,'email ',0);
    INSERT INTO "delivery" VALUES(13,1,'85f83942-62c3-8efe-9e1d-9937edda3fa7',1,NULL,'alert_on','2c2dbca0-08f6-43ae-b7dd-4f49a75ac223','Ivy','service','telegram:123456789',NULL,1795826333781,'pending',1795826363986,6,1,0,NULL,NULL,NULL,'Telegram could not be reached (Couldn''t resolve host name)','',105,'service telegram',0);
    INSERT INTO "delivery" VALUES(14,1,'244a7796-2598-8c78-b3be-a1e1cf174727',1,NULL,'alert_on','2ceb1b00-f75c-4e7e-bd2a-469e88be7897','Jo','email','jo@example.net',NULL,1795826333781,'sent',1795826423788,1,1,0,NULL,NULL,1795826333810,NULL,'',106,'email ',0);
    INSERT INTO "delivery" VALUES(15,1,'aaae11f1-c064-8a3b-8192-df1ac37ae86c',1,NULL,'alert_on','2ceb1b00-f75c-4e7e-bd2a-469e88be7897','Jo','ntfy','https://ntfy.sh/jo-topic-4711-abcdefgh',NULL,1795826333781,'pending',1795826369399,6,1,0,NULL,NULL,NULL,'the ntfy server could not be reached (Couldn''t resolve host name)','',107,'ntfy ntfy.sh',0);
    INSERT INTO "monitor" VALUES('ef27fa2a-fc2b-409d-9bfa-1ef9e37ece67',1795826346689,0,NULL,NULL);
    INSERT INTO "response_code" VALUES('0J95PAEGYN',1,NULL,'2ceb1b00-f75c-4e7e-bd2a-469e88be7897',1795826324893,'00ab8881327995b807f13155a100103f5a812947941e12618e66599ee991661d');
    INSERT INTO "response_code" VALUES('346B70A2R7',1,NULL,'0bd49710-3df0-4bd4-8795-35fd1fd8a687',1795826324664,'2460f2cab4831ad0b2e5a948c0da33d9ad565f98d57532a89880824e9c6879d8');
    INSERT INTO "response_code" VALUES('4XC80EQDMN',1,1,'2ceb1b00-f75c-4e7e-bd2a-469e88be7897',1795826333781,'54b19e01263022804e83f0637ce3d467d2320c5bb803c3c740eb0ab00c523422');
    INSERT INTO "response_code" VALUES('7R2N9H822J',1,1,'0bd49710-3df0-4bd4-8795-35fd1fd8a687',1795826333781,'d6b066bd549f74a0ab2ac8e4dfedf3fcd4bc52d0f8fcc7dde29e3bb6d5715402');
    INSERT INTO "response_code" VALUES('CCCD5V6ZFC',1,1,'2c2dbca0-08f6-43ae-b7dd-4f49a75ac223',1795826333781,'466641f158c24f00857918a07e3ec58ae99cb6b075afff01f38c432029e34747');
    INSERT INTO "response_code" VALUES('EXYMQVMATT',2,NULL,'533acd70-fa38-4175-9642-54210129fb93',1795826326472,'48fe42f75366d0f95457ffd5f5923781b957c5d73c430dcefdf2058452cdf954');
    INSERT INTO "response_code" VALUES('K0YGWE3A57',1,1,'6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457',1795826333781,'f5e9570f7fc43099fbb4806cfe910cd6421d568e34a98a0d77f7a0a032d3359f');
    INSERT INTO "response_code" VALUES('WH3ACBJ4YZ',1,NULL,'2c2dbca0-08f6-43ae-b7dd-4f49a75ac223',1795826324815,'36a54d030deb42f626e25b7ee5f1b780bb4c94b206da2c35bcf3590ff2079396');
    INSERT INTO "response_code" VALUES('YAJ4A5RRJC',1,NULL,'6a5a83e3-9c3b-4c2a-a33a-ab322f5c2457',1795826324744,'162d6bd949471b9cbdcd3473a8af3f7b71b2c8f988dbea1de54f84ed363a44c6');
    INSERT INTO "watch" VALUES(1,1795826326673,1795826346689,NULL,NULL);
    INSERT INTO "armed_alert" VALUES(1,'5b1c4f80-8a35-4c61-9d0a-3b6d2f9c7e11',2,'On the north path',1795826346000,1795826366000,NULL);
    UPDATE account SET gate = '$argon2id$none' WHERE key = 1;
    UPDATE account SET attention_at = 0 WHERE key = 2;
    """
}
