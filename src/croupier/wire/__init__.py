"""The wire: types of requests and answers that the server and its clients share; clients check what they claim."""
