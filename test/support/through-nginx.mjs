// Loaded before each test file of the project 'through nginx'.
process.env.TEST_THROUGH = 'nginx';
